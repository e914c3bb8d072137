"""What people see and press: cards, panels, buttons, and the words on them."""

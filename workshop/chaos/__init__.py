"""Everything goes wrong for a while, people play on, and in the end nothing may be lost, doubled or untold.

python -m workshop chaos --minutes 20
"""

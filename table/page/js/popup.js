// A list above an input, moved through with arrow keys; the input keeps the focus.
import { h, replace } from "./dom.js";

export class Popup {
  constructor(id, input) {
    this.id = id;
    this.items = [];
    this.active = 0;
    this.list = h("ul", { id, role: "listbox" });
    this.title = h("p.popup-title");
    this.element = h("div.popup", { hidden: true }, this.title, this.list);
    this.attach(input);
  }

  attach(input) {
    this.input = input;
  }

  get isOpen() {
    return !this.element.hidden;
  }

  open(title, items, none = null) {
    if (!items.length && !none) return this.close();
    this.items = items;
    this.active = 0;
    this.title.textContent = title;
    replace(
      this.list,
      items.length
        ? items.map((each, index) =>
            h(
              "li.option",
              {
                id: `${this.id}-${index}`,
                role: "option",
                onpointermove: () => {
                  if (this.active !== index) {
                    this.active = index;
                    this.mark(false);
                  }
                },
                onpointerdown: (event) => event.preventDefault(),
                onclick: () => each.choose(),
              },
              each.face ?? null,
              h(
                "span.option-text",
                {},
                h(
                  "span.label",
                  {},
                  each.label,
                  (each.hint ?? []).map((one) => h("span.hint", {}, one)),
                ),
                each.description ? h("small", {}, each.description) : null,
              ),
              each.aside ? h("span.aside", {}, each.aside) : null,
            ),
          )
        : h("li.none", {}, none),
    );
    this.element.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.mark();
    return null;
  }

  close() {
    this.element.hidden = true;
    this.items = [];
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  mark(scroll = true) {
    [...this.list.children].forEach((each, index) => {
      each.classList.toggle("active", index === this.active);
      each.setAttribute("aria-selected", String(index === this.active));
    });
    this.input.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    if (scroll) this.list.children[this.active]?.scrollIntoView?.({ block: "nearest" });
  }

  handles(event) {
    if (!this.isOpen) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && this.items.length) {
      this.active = (this.active + steps[event.key] + this.items.length) % this.items.length;
      this.mark();
    } else if ((event.key === "Enter" || event.key === "Tab") && this.items.length && !event.shiftKey) {
      this.items[this.active].choose();
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}

// A slash command being filled in: one field for each option, with what fits below it offered above it.
import { act, packed } from "./api.js";
import { fresh, h, icon, replace } from "./dom.js";
import { settle } from "./forms.js";
import { candidates } from "./menus.js";
import { Popup } from "./popup.js";
import { store } from "./store.js";
import { refusal, t } from "./words.js";

const BOOLEAN = 5;
const ATTACHMENT = 11;
// Option types whose values are picked from the same lists as in a select menu.
const AS_MENU = { 6: 5, 7: 8, 8: 6, 9: 7 };

export class SlashForm {
  constructor(command, done) {
    this.command = command;
    this.done = done;
    this.values = new Map();
    this.fields = new Map();
    this.asked = 0;
    this.row = h("div.slash-row");
    this.problem = h("p.slash-problem", { role: "alert" });
    this.hint = h("p.slash-hint");
    this.popup = new Popup(fresh("popup"), this.row);
    this.element = h(
      "form.slash",
      { "aria-label": t("Command {name}", { name: command.name }), novalidate: true },
      this.popup.element,
      this.hint,
      this.problem,
      h(
        "div.box",
        {},
        this.row,
        h(
          "button.icon-button",
          { type: "button", onclick: done, "aria-label": t("Cancel"), title: t("Cancel") },
          icon("close"),
        ),
        h("button.icon-button.send", { type: "submit", "aria-label": t("Send"), title: t("Send") }, icon("send")),
      ),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.row.tabIndex = -1;
    this.row.addEventListener("keydown", (event) => this.pressedRow(event));
    replace(this.row, h("span.slash-name", {}, `/${command.name}`));
    for (const option of command.options.filter((each) => each.required)) this.add(option);
    this.drawMore();
    this.hint.textContent = command.description;
  }

  focus() {
    const first = this.fields.values().next().value;
    (first?.input ?? this.row).focus();
  }

  add(option, focus = false) {
    const id = fresh("option");
    const file = option.type === ATTACHMENT;
    const input = h("input", {
      id,
      type: file ? "file" : "text",
      autocomplete: "off",
      spellcheck: false,
      size: file ? null : 8,
      role: file ? null : "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.popup.id,
      "aria-label": option.label,
    });
    const field = h("span.slash-option", {}, h("label", { for: id }, option.label), input);
    this.fields.set(option.name, { option, input, field });
    input.addEventListener("focus", () => {
      this.hint.textContent = `${option.label}: ${option.description}`;
      this.popup.attach(input);
      this.offer(option);
    });
    input.addEventListener("blur", () => {
      if (this.popup.input === input) this.popup.close();
    });
    input.addEventListener("input", () => {
      this.values.delete(option.name);
      field.classList.remove("wrong");
      input.size = Math.max(8, input.value.length + 1);
      this.offer(option);
    });
    input.addEventListener("keydown", (event) => this.pressed(event, option));
    this.row.insertBefore(field, this.more ?? null);
    if (focus) {
      this.drawMore();
      input.focus();
    }
  }

  drawMore() {
    this.more?.remove();
    const left = this.command.options.filter((each) => !this.fields.has(each.name));
    this.more = left.length
      ? h(
          "span.slash-more",
          {},
          left.map((each) =>
            h(
              "button",
              { type: "button", onclick: () => this.add(each, true), title: each.description },
              `+ ${each.label}`,
            ),
          ),
        )
      : null;
    if (this.more) this.row.append(this.more);
  }

  pressedRow(event) {
    if (event.target !== this.row) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    }
    if (event.key === "Escape" || event.key === "Backspace") this.done();
  }

  pressed(event, option) {
    if (event.isComposing || this.popup.handles(event)) return;
    const { input } = this.fields.get(option.name);
    if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      this.done();
    } else if (event.key === "Backspace" && !input.value) {
      event.preventDefault();
      this.remove(option);
    }
  }

  remove(option) {
    if (option.required) {
      this.done();
      return;
    }
    this.fields.get(option.name).field.remove();
    this.fields.delete(option.name);
    this.values.delete(option.name);
    this.popup.close();
    this.drawMore();
    [...this.fields.values()].pop()?.input.focus() ?? this.row.focus();
  }

  async offer(option) {
    const { input } = this.fields.get(option.name);
    const typed = input.value;
    const choose = (label, value) => () => this.choose(option, label, value);
    if (option.autocomplete) {
      const asked = ++this.asked;
      await new Promise((done) => setTimeout(done, typed ? 80 : 0));
      if (asked !== this.asked) return;
      try {
        const options = { ...this.collected(), [option.name]: typed };
        const found = await act("autocomplete", {
          channel: store.channel.id,
          command: this.command.command,
          focused: option.name,
          options,
        });
        if (asked !== this.asked || document.activeElement !== input) return;
        this.popup.open(
          option.description,
          found.map((each) => ({ label: each.name, choose: choose(each.name, each.value) })),
          t("No options match your search."),
        );
      } catch (problem) {
        if (asked === this.asked) this.popup.open(option.description, [], refusal(problem.message));
      }
      return;
    }
    this.asked += 1;
    const list = this.fixed(option);
    if (!list) {
      this.popup.close();
      return;
    }
    const fitting = list.filter(
      (each) => this.values.has(option.name) || each.label.toLowerCase().includes(typed.toLowerCase()),
    );
    this.popup.open(
      option.description,
      fitting.map((each) => ({ ...each, choose: choose(each.label, each.value) })),
      t("Nothing fits"),
    );
  }

  fixed(option) {
    if (option.choices.length) return option.choices.map((each) => ({ label: each.name, value: each.value }));
    if (option.type === BOOLEAN)
      return [
        { label: t("True"), value: true },
        { label: t("False"), value: false },
      ];
    if (option.type in AS_MENU)
      return candidates({ type: AS_MENU[option.type], channel_types: option.channel_types });
    return null;
  }

  choose(option, label, value) {
    const { input, field } = this.fields.get(option.name);
    input.value = label;
    input.size = Math.max(8, label.length + 1);
    this.values.set(option.name, value);
    field.classList.remove("wrong");
    this.popup.close();
    this.asked += 1;
    const next = [...this.fields.values()].find((each) => !each.input.value);
    if (next) next.input.focus();
  }

  collected() {
    const options = {};
    for (const [name, { option, input }] of this.fields) {
      if (option.type === ATTACHMENT) continue;
      if (this.values.has(name)) options[name] = this.values.get(name);
      else if (input.value !== "") options[name] = input.value;
    }
    return options;
  }

  async send() {
    const missing = [...this.fields.values()].find(({ option, input }) => option.required && !input.value);
    if (missing) {
      missing.field.classList.add("wrong");
      this.problem.textContent = t("{name}: this option is required.", { name: missing.option.label });
      missing.input.focus();
      return;
    }
    const options = this.collected();
    for (const [name, { option, input }] of this.fields) {
      if (option.type === ATTACHMENT && input.files.length) options[name] = await packed(input.files[0]);
    }
    const { channel, me } = store;
    this.element.classList.add("busy");
    try {
      const sent = act("slash", { channel: channel.id, command: this.command.command, options });
      const outcome = await sent;
      if (outcome.failed) throw new Error(t("The application did not respond"));
      if (store.me?.id !== me.id || store.channel?.id !== channel.id) return;
      this.done();
      settle(outcome);
    } catch (problem) {
      this.problem.textContent = refusal(problem.message);
      this.element.classList.remove("busy");
    }
  }
}

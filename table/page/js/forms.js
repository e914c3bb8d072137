// Modals: the form that a bot opens, filled and sent off.
import { act, packed } from "./api.js";
import { dialog } from "./dialogs.js";
import { fresh, h } from "./dom.js";
import { markdown } from "./markdown.js";
import { menu } from "./menus.js";
import { store } from "./store.js";
import { parts, t } from "./words.js";

// What the bot's first answer asks of the page; messages come by the stream of news.
export function settle(outcome) {
  if (outcome.modal) openForm(outcome);
}

function openForm(outcome) {
  const modal = outcome.modal;
  const fields = new Map();
  const body = modal.components.map((each) => {
    if (each.type === 10) return h("div.content", {}, markdown(each.content));
    if (each.type === 18) return labelled(each.label, each.description, each.component, fields);
    return each.components.map((one) => labelled(one.label ?? "", null, one, fields));
  });
  const note = h(
    "p.form-note",
    {},
    parts("This form will be submitted to {name}. Do not share passwords or other sensitive information.", {
      name: h("b", {}, store.bot.global_name),
    }),
  );
  dialog(modal.title, [note, body], {
    label: t("Submit"),
    onsubmit: async () => {
      const answers = {};
      for (const [id, read] of fields) answers[id] = await read();
      const result = await act("submit", { form: outcome.interaction, answers });
      if (result.failed) throw new Error(t("Something went wrong. Try again."));
      settle(result);
    },
  }).classList.add("modal");
}

function labelled(label, description, field, fields) {
  const id = fresh("field");
  const required = field.type !== 23 && field.required !== false;
  const control = build(field, id, label, fields);
  if (field.type === 23) {
    return h(
      "div.field",
      {},
      h("label.check", { for: id }, control, h("span", {}, label)),
      description ? h("small", {}, description) : null,
    );
  }
  const group = field.type === 21 || field.type === 22;
  const head = [label, required ? h("span.star", { "aria-hidden": "true" }, " *") : null];
  return h(
    "div.field",
    group ? { role: "group", "aria-label": label } : {},
    group ? h("span.field-label", {}, head) : h("label.field-label", { for: id }, head),
    description ? h("small", {}, description) : null,
    control,
  );
}

function build(field, id, label, fields) {
  switch (field.type) {
    case 4:
      return textInput(field, id, fields);
    case 19:
      return upload(field, id, fields);
    case 21:
      return options(field, fields, "radio");
    case 22:
      return options(field, fields, "checkbox");
    case 23: {
      const box = h("input", { id, type: "checkbox", checked: Boolean(field.default) });
      fields.set(field.custom_id, () => box.checked);
      return box;
    }
    default: {
      const element = menu(field, {});
      element.querySelector(".select-button").id = id;
      element
        .querySelector(".select-button")
        .setAttribute("aria-label", `${label}: ${field.placeholder ?? t("Make a selection")}`);
      fields.set(field.custom_id, () => element.values);
      return element;
    }
  }
}

function textInput(field, id, fields) {
  const common = {
    id,
    placeholder: field.placeholder,
    maxlength: field.max_length ? String(field.max_length) : "4000",
    autocomplete: "off",
  };
  const input =
    field.style === 2 ? h("textarea", { ...common, rows: "4" }) : h("input", { ...common, type: "text" });
  input.value = field.value ?? "";
  fields.set(field.custom_id, () => input.value);
  return input;
}

function upload(field, id, fields) {
  const input = h("input", { id, type: "file", multiple: (field.max_values ?? 1) > 1 });
  fields.set(field.custom_id, () => Promise.all([...input.files].map(packed)));
  return input;
}

function options(field, fields, kind) {
  const name = fresh("group");
  const inputs = field.options.map((each) =>
    h("input", { type: kind, name, value: each.value, checked: Boolean(each.default) }),
  );
  fields.set(field.custom_id, () => {
    const chosen = inputs.filter((each) => each.checked).map((each) => each.value);
    return kind === "radio" ? (chosen[0] ?? null) : chosen;
  });
  return h(
    "div.choices",
    {},
    inputs.map((input, index) =>
      h(
        "label.choice",
        {},
        input,
        h(
          "span",
          {},
          field.options[index].label,
          field.options[index].description ? h("small", {}, field.options[index].description) : null,
        ),
      ),
    ),
  );
}

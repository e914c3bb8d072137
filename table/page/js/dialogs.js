// Small dialogs of the page itself: a question with one line, one with yes or no, and one's language and time zone.
import { attempt } from "./api.js";
import { fresh, h, icon } from "./dom.js";
import { store } from "./store.js";
import { refusal, t } from "./words.js";

export function dialog(title, body, { label = t("Done"), onsubmit, onclose = () => {} }) {
  const heading = fresh("dialog");
  const problem = h("p.problem", { role: "alert" });
  const submit = h("button.primary", { type: "submit" }, label);
  const form = h(
    "form",
    { method: "dialog", novalidate: true },
    h("div.dialog-body", {}, body),
    problem,
    h("footer", {}, h("button.quiet", { type: "button", onclick: () => box.close() }, t("Cancel")), submit),
  );
  const box = h(
    "dialog.card",
    { "aria-labelledby": heading },
    h(
      "header",
      {},
      h("h2", { id: heading }, title),
      h("button.icon-button", { onclick: () => box.close(), "aria-label": t("Close") }, icon("close")),
    ),
    form,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.textContent = "";
    try {
      await onsubmit();
      box.close();
    } catch (trouble) {
      problem.textContent = refusal(trouble.message);
    } finally {
      submit.disabled = false;
    }
  });
  box.addEventListener("close", () => {
    box.remove();
    onclose();
  });
  document.body.append(box);
  box.showModal();
  box.querySelector(".dialog-body input, .dialog-body textarea, .dialog-body button")?.focus();
  return box;
}

export function ask(title, label) {
  return new Promise((resolve) => {
    let answer = null;
    const input = h("input", { maxlength: "100", autocomplete: "off" });
    dialog(title, h("label.field", {}, h("span", {}, label), input), {
      onsubmit: async () => {
        answer = input.value.trim();
        if (!answer) throw new Error(t("Please write something."));
      },
      onclose: () => resolve(answer),
    });
  });
}

export function confirm(title, text, label) {
  return new Promise((resolve) => {
    let sure = false;
    dialog(title, h("p", {}, text), {
      label,
      onsubmit: async () => {
        sure = true;
      },
      onclose: () => resolve(sure),
    });
  });
}

const LOCALES = {
  "en-GB": "English, UK",
  "en-US": "English, US",
  de: "Deutsch",
  fr: "Français",
  nl: "Nederlands",
};

export function profile() {
  const locale = h(
    "select",
    {},
    Object.entries(LOCALES).map(([key, name]) =>
      h("option", { value: key, selected: key === store.me.locale }, name),
    ),
  );
  const zones = Intl.supportedValuesOf("timeZone");
  const zone = h(
    "select",
    {},
    (zones.includes(store.me.zone) ? zones : [store.me.zone, ...zones]).map((each) =>
      h("option", { value: each, selected: each === store.me.zone }, each),
    ),
  );
  dialog(
    store.me.global_name,
    [
      h("label.field", {}, h("span", {}, t("Language")), locale),
      h("label.field", {}, h("span", {}, t("Time zone")), zone),
    ],
    {
      onsubmit: () => attempt("profile", { locale: locale.value, zone: zone.value }),
    },
  );
}

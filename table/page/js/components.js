// Components of a message, both the older rows and Components V2.
import { act } from "./api.js";
import { h, icon } from "./dom.js";
import { fileCard, picture } from "./embeds.js";
import { settle } from "./forms.js";
import { markdown } from "./markdown.js";
import { menu } from "./menus.js";
import { store } from "./store.js";
import { refusal, t } from "./words.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "linkish", 6: "primary" };

export function drawComponents(message) {
  if (!message.components.length) return null;
  return message.components.map((each) => draw(each, message));
}

function draw(component, message) {
  switch (component.type) {
    case 1:
      return h(
        "div.row",
        {},
        component.components.map((each) => (each.type === 2 ? button(each, message) : choice(each, message))),
      );
    case 2:
      return button(component, message);
    case 9:
      return h(
        "div.section",
        {},
        h(
          "div",
          {},
          component.components.map((each) => draw(each, message)),
        ),
        draw(component.accessory, message),
      );
    case 10:
      return h("div.content", {}, markdown(component.content));
    case 11:
      return picture(component.media, component.description, {
        spoiler: component.spoiler,
        className: "thumb",
      });
    case 12:
      return gallery(component);
    case 13:
      return file(component, message);
    case 14:
      return h("hr.separator", {
        class: `separator${component.spacing === 2 ? " large" : ""}${component.divider === false ? " blank" : ""}`,
      });
    case 17:
      return container(component, message);
    default:
      return null;
  }
}

function container(component, message) {
  const colour = component.accent_color;
  const accent = colour === undefined || colour === null ? null : `#${colour.toString(16).padStart(6, "0")}`;
  const box = h(
    "div.container",
    { class: `container${accent ? " accented" : ""}`, style: accent ? `--accent:${accent}` : null },
    component.components.map((each) => draw(each, message)),
  );
  if (!component.spoiler) return box;
  box.classList.add("veiled");
  box.addEventListener(
    "click",
    (event) => {
      if (box.classList.contains("veiled")) event.stopPropagation();
      box.classList.remove("veiled");
    },
    { capture: true },
  );
  return box;
}

function gallery(component) {
  const all = component.items.map((each) => ({ url: each.media.url, alt: each.description }));
  return h(
    "div.gallery",
    { dataset: { count: Math.min(component.items.length, 5) } },
    component.items.map((each) => picture(each.media, each.description, { spoiler: each.spoiler, all })),
  );
}

function file(component, message) {
  const found = message.attachments.find(
    (each) => each.id === component.file.attachment_id || each.url === component.file.url,
  );
  return found ? fileCard(found) : null;
}

function emoji(each) {
  if (!each) return null;
  return h("span.emoji", { "aria-hidden": "true" }, each.id ? `:${each.name}:` : each.name);
}

function button(component, message) {
  const style = STYLES[component.style] ?? "secondary";
  if (component.style === 5) {
    return h(
      "a.button",
      { class: "button linkish", href: component.url, target: "_blank", rel: "noopener noreferrer" },
      emoji(component.emoji),
      component.label,
      icon("link"),
    );
  }
  const element = h(
    "button.button",
    { class: `button ${style}`, disabled: Boolean(component.disabled) },
    emoji(component.emoji),
    h("span", {}, component.label ?? ""),
  );
  element.addEventListener("click", () =>
    interact(element, message, "click", { message: message.id, which: component.custom_id }),
  );
  return element;
}

function choice(component, message) {
  const element = menu(component, {
    onchoose: (values) =>
      interact(element, message, "select", { message: message.id, which: component.custom_id, values }),
  });
  return element;
}

// While the bot has not answered, the component is busy; if it never does, the message says so.
async function interact(element, message, verb, body) {
  if (element.classList.contains("busy")) return;
  element.classList.add("busy");
  element.setAttribute("aria-busy", "true");
  const item = () => document.getElementById(`message-${message.id}`);
  item()?.querySelector(".failed")?.remove();
  const who = store.me.id;
  try {
    const outcome = await act(verb, body);
    if (outcome.failed) throw new Error(t("This interaction failed"));
    if (store.me?.id === who) settle(outcome);
  } catch (problem) {
    item()
      ?.querySelector("article")
      ?.append(h("p.failed", { role: "alert" }, refusal(problem.message)));
  } finally {
    element.classList.remove("busy");
    element.removeAttribute("aria-busy");
  }
}

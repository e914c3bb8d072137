// Select menus of every kind: a button that opens a list, with search where the list is long.
import { avatar, fresh, h, icon, replace } from "./dom.js";
import { nameOf, store, title } from "./store.js";
import { t } from "./words.js";

export function candidates(component) {
  const ids = store.server ? store.server.members.map((each) => each.id) : [store.me.id, store.bot.id];
  const people = () =>
    ids
      .map((id) => store.users.get(id))
      .filter(Boolean)
      .map((each) => ({
        value: each.id,
        label: nameOf(each.id),
        description: each.username,
        face: avatar(each, 24),
      }));
  const roles = () =>
    (store.server?.roles ?? []).map((each) => ({ value: each.id, label: `@${each.name.replace(/^@/, "")}` }));
  switch (component.type) {
    case 3:
      return component.options.map((each) => ({
        ...each,
        face: each.emoji ? h("span.emoji", {}, each.emoji.name) : null,
      }));
    case 5:
      return people();
    case 6:
      return roles();
    case 7:
      return [...people(), ...roles()];
    default: {
      const wanted = component.channel_types ?? [];
      return (store.server?.channels ?? [])
        .filter((each) => !wanted.length || wanted.includes(each.type))
        .map((each) => ({
          value: each.id,
          label: title(each),
          face: icon(each.type === 0 ? "hash" : "thread"),
        }));
    }
  }
}

export function menu(component, { onchoose, onchange = () => {} }) {
  const many = (component.max_values ?? 1) > 1;
  const least = component.min_values ?? 1;
  const most = component.max_values ?? 1;
  const options = candidates(component);
  const defaults = new Set((component.default_values ?? []).map((each) => String(each.id)));
  let chosen = options.filter((each) => each.default || defaults.has(each.value)).map((each) => each.value);
  let committed = [...chosen];
  let active = 0;
  let shown = options;
  const listId = fresh("list");
  const trigger = h("button.select-button", {
    type: "button",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    disabled: Boolean(component.disabled),
    "aria-label": component.placeholder ?? t("Make a selection"),
  });
  const list = h("ul.options", {
    id: listId,
    role: "listbox",
    "aria-multiselectable": String(many),
    tabindex: -1,
  });
  const search = h("input.search", {
    placeholder: t("Search"),
    "aria-label": t("Search"),
    "aria-controls": listId,
    autocomplete: "off",
  });
  const panel = h(
    "div.select-panel",
    { hidden: true },
    component.type !== 3 || options.length > 10 ? search : null,
    list,
  );
  const root = h("div.select", {}, trigger, panel);

  function face() {
    const labels = chosen.map((value) => options.find((each) => each.value === value)?.label ?? value);
    replace(
      trigger,
      labels.length
        ? h(
            "span.chosen",
            {},
            labels.map((each) => h("span", { class: many ? "chip" : "" }, each)),
          )
        : h("span.placeholder", {}, component.placeholder ?? t("Make a selection")),
      icon("down"),
    );
  }

  function draw() {
    shown = options.filter((each) => each.label.toLowerCase().includes(search.value.toLowerCase()));
    active = Math.min(active, Math.max(0, shown.length - 1));
    replace(
      list,
      shown.length
        ? shown.map((each, index) => {
            const selected = chosen.includes(each.value);
            return h(
              "li.option",
              {
                id: `${listId}-${index}`,
                role: "option",
                "aria-selected": String(selected),
                class: `option${index === active ? " active" : ""}`,
                onpointermove: () => {
                  if (active !== index) {
                    active = index;
                    mark();
                  }
                },
                onclick: () => pick(each),
              },
              each.face ?? null,
              h(
                "span.option-text",
                {},
                h("span.label", {}, each.label),
                each.description ? h("small", {}, each.description) : null,
              ),
              many
                ? h("span.tick", { class: selected ? "tick on" : "tick" })
                : selected
                  ? h("span.tick.on.round")
                  : null,
            );
          })
        : h("li.none", {}, t("No results")),
    );
    mark();
  }

  function mark() {
    [...list.children].forEach((each, index) => each.classList.toggle("active", index === active));
    const id = `${listId}-${active}`;
    for (const each of [list, search]) each.setAttribute("aria-activedescendant", id);
    list.children[active]?.scrollIntoView?.({ block: "nearest" });
  }

  function pick(option) {
    if (!many) {
      chosen = chosen.includes(option.value) && least === 0 ? [] : [option.value];
      close();
      return;
    }
    if (chosen.includes(option.value)) chosen = chosen.filter((each) => each !== option.value);
    else if (chosen.length < most) chosen = [...chosen, option.value];
    face();
    draw();
    onchange(chosen);
  }

  function open() {
    if (trigger.disabled) return;
    panel.hidden = false;
    trigger.setAttribute("aria-expanded", "true");
    search.value = "";
    draw();
    const room = innerHeight - trigger.getBoundingClientRect().bottom;
    panel.classList.toggle("above", room < 260 && trigger.getBoundingClientRect().top > room);
    (panel.contains(search) ? search : list).focus({ preventScroll: true });
    document.addEventListener("pointerdown", outside, true);
  }

  function close(refocus = true) {
    if (panel.hidden) return;
    panel.hidden = true;
    trigger.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    face();
    if (refocus) trigger.focus({ preventScroll: true });
    onchange(chosen);
    // As on Discord, what was chosen already is no news.
    if (!onchoose || String(chosen) === String(committed)) return;
    if (chosen.length >= least && chosen.length <= most) {
      committed = [...chosen];
      onchoose(chosen);
    }
  }

  const outside = (event) => {
    if (!root.contains(event.target)) {
      if (many) close(false);
      else cancel();
    }
  };
  const cancel = () => {
    chosen = [...committed];
    panel.hidden = true;
    trigger.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    face();
    trigger.focus({ preventScroll: true });
  };

  trigger.addEventListener("click", () => (panel.hidden ? open() : many ? close() : cancel()));
  trigger.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && panel.hidden) {
      event.preventDefault();
      open();
    }
  });
  search.addEventListener("input", () => {
    active = 0;
    draw();
  });
  panel.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && shown.length)
      active = (active + steps[event.key] + shown.length) % shown.length;
    else if (event.key === "Home") active = 0;
    else if (event.key === "End") active = shown.length - 1;
    else if (event.key === "Enter" || (event.key === " " && event.target !== search)) {
      if (shown[active]) pick(shown[active]);
    } else if (event.key === "Escape" || event.key === "Tab") {
      if (many) close();
      else cancel();
    } else return;
    event.stopPropagation();
    if (event.key !== "Tab") event.preventDefault();
    mark();
  });
  face();
  Object.defineProperty(root, "values", { get: () => chosen });
  return root;
}

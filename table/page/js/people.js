// The right side: the people at the table, with one click to become another.
import { act } from "./api.js";
import { avatar, h, icon, replace } from "./dom.js";
import { ask } from "./dialogs.js";
import { notice } from "./notices.js";
import { closeDrawers } from "./sidebar.js";
import { nameOf, store, user } from "./store.js";
import { refusal, t } from "./words.js";

export function drawPeople(become) {
  const ids = store.server ? store.server.members.map((each) => each.id) : [...store.users.keys()];
  const people = ids.map(user).filter((each) => !each.bot);
  const bots = ids.map(user).filter((each) => each.bot);
  replace(
    document.getElementById("people"),
    h("h2.category", {}, t("At the table — {count}", { count: people.length })),
    h(
      "ul",
      {},
      people.map((each) => h("li", {}, seat(each, become))),
    ),
    h(
      "button.person.add",
      { onclick: () => add(become) },
      h("span.avatar.empty", { style: "--size:32px" }, icon("plus")),
      h("span.name", {}, t("Somebody else…")),
    ),
    h("h2.category", {}, t("App — {count}", { count: bots.length })),
    h(
      "ul",
      {},
      bots.map((each) => h("li", {}, app(each))),
    ),
  );
}

function seat(each, become) {
  const me = each.id === store.me.id;
  const pings = store.pings[each.id];
  const label = t(me ? "{name}, this is you" : "Become {name}", { name: nameOf(each.id) });
  return h(
    "button.person",
    {
      class: me ? "person me" : "person",
      "aria-label": label,
      "aria-pressed": String(me),
      title: label,
      onclick: () => {
        closeDrawers();
        become(each.username);
      },
    },
    avatar(each, 32),
    h("span.name", {}, nameOf(each.id), h("small", {}, me ? t("you") : each.locale)),
    pings ? h("span.badge", { "aria-label": t("{count} mentions", { count: pings }) }, String(pings)) : null,
  );
}

function app(each) {
  return h(
    "div.person",
    {},
    h(
      "span.faced",
      {},
      avatar(each, 32),
      h("span.presence", { class: store.connected ? "presence on" : "presence" }),
    ),
    h("span.name", {}, nameOf(each.id), h("small", {}, store.connected ? t("online") : t("offline"))),
    h("span.tag", {}, "APP"),
  );
}

async function add(become) {
  const name = await ask(t("Who sits down?"), t("Name"));
  if (!name) return;
  try {
    const made = await act("people", {
      name,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      locale: navigator.language,
    });
    await become(made.username);
  } catch (problem) {
    notice(refusal(problem.message));
  }
}

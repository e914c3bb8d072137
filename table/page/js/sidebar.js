// The left side: servers, channels with their threads, direct messages, and one's own name.
import { attempt } from "./api.js";
import { avatar, h, icon, initials, replace } from "./dom.js";
import { ask, confirm, profile } from "./dialogs.js";
import { go } from "./places.js";
import { nameOf, store, title, user } from "./store.js";
import { t } from "./words.js";

function badge(count) {
  return count ? h("span.badge", { "aria-label": t("{count} mentions", { count }) }, String(count)) : null;
}

function sum(channels) {
  let count = 0;
  let pings = 0;
  for (const each of channels) {
    const [one, two] = store.unread[each.id] ?? [0, 0];
    count += one;
    pings += two;
  }
  return [count, pings];
}

export function drawRail() {
  const [directCount, directPings] = sum(store.directs);
  const direct = railButton(t("Direct Messages"), "@", !store.server, directCount, directPings, () => {
    if (store.directs.length) go(store.directs[0].id);
    else openDirect();
  });
  const servers = store.servers.map((server) => {
    const [count, pings] = sum(server.channels);
    const first = server.channels.find((each) => each.type === 0);
    return railButton(
      server.name,
      initials(server.name, 3),
      store.server === server,
      count,
      pings,
      () => first && go(first.id),
    );
  });
  replace(document.getElementById("rail"), direct, h("hr"), servers);
  drawChannels();
}

function railButton(label, text, active, unread, pings, onclick) {
  const button = h(
    "button.server",
    { onclick, title: label, "aria-label": label, "aria-current": active ? "true" : null },
    text,
  );
  return h(
    "div.rail-item",
    { class: `rail-item${active ? " active" : ""}${unread ? " unread" : ""}` },
    button,
    badge(pings),
  );
}

function drawChannels() {
  const server = store.server;
  const body = server ? channelList(server) : directList();
  replace(
    document.getElementById("channels"),
    h("h1.server-name", {}, server?.name ?? t("Direct Messages")),
    h("div.channel-list", {}, body),
    ownPanel(),
  );
}

function channelList(server) {
  const top = server.channels.filter((each) => each.type === 0).sort((a, b) => a.position - b.position);
  return h(
    "ul",
    {},
    h(
      "li.category",
      {},
      t("Text channels"),
      server.can_make_channels
        ? h(
            "button.icon-button",
            { onclick: newChannel, title: t("Create channel"), "aria-label": t("Create channel") },
            icon("plus"),
          )
        : null,
    ),
    top.map((each) => {
      const threads = server.channels.filter(
        (one) => one.parent_id === each.id && !one.thread_metadata?.archived,
      );
      return [entry(each, "hash"), threads.map((one) => entry(one, "thread"))];
    }),
  );
}

function directList() {
  return h(
    "ul",
    {},
    h("li.category", {}, t("Direct Messages")),
    store.directs.map((each) => entry(each)),
    store.directs.some((each) => each.recipients.some((one) => one.id === store.bot.id))
      ? null
      : h(
          "li",
          {},
          h(
            "button.channel",
            { onclick: openDirect },
            icon("plus"),
            h("span.name", {}, t("Message {name}", { name: nameOf(store.bot.id) })),
          ),
        ),
  );
}

async function openDirect() {
  const made = await attempt("direct");
  if (!made) return;
  // The news of the new channel may still be under way.
  for (let tries = 0; tries < 40 && !store.channels.has(made.id); tries += 1)
    await new Promise((done) => setTimeout(done, 50));
  go(made.id);
}

function entry(channel, sign) {
  const [count, pings] = store.unread[channel.id] ?? [0, 0];
  const active = store.channel?.id === channel.id;
  const classes = [
    "channel",
    channel.parent_id && sign === "thread" ? "thread" : "",
    active ? "active" : "",
    count ? "unread" : "",
  ];
  const face = sign ? icon(sign) : avatar(user(channel.recipients[0]?.id), 32);
  return h(
    "li",
    {},
    h(
      "button",
      {
        class: classes.filter(Boolean).join(" "),
        onclick: () => go(channel.id),
        "aria-current": active ? "page" : null,
      },
      face,
      h("span.name", {}, title(channel)),
      count && !pings ? h("span.sr", {}, t("unread")) : null,
      badge(pings),
    ),
  );
}

function ownPanel() {
  return h(
    "div.own",
    {},
    h(
      "button.own-name",
      { onclick: () => profile(), title: t("Language and time zone") },
      avatar(store.me, 32),
      h("span", {}, h("b", {}, store.me.global_name), h("small", {}, store.me.username)),
    ),
    h(
      "button.icon-button",
      { onclick: switchTheme, title: t("Light or dark"), "aria-label": t("Light or dark") },
      icon("sun"),
    ),
    h(
      "button.icon-button",
      { onclick: () => profile(), title: t("Settings"), "aria-label": t("Settings") },
      icon("gear"),
    ),
  );
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

export function drawTop() {
  const channel = store.channel;
  if (!channel) return;
  const parent = channel.parent_id && store.channels.get(channel.parent_id);
  const thread = channel.type === 11 || channel.type === 12;
  replace(
    document.getElementById("top"),
    h(
      "button.icon-button.only-phone",
      { onclick: () => drawer("channels"), "aria-label": t("Channels") },
      icon("menu"),
      store.unread && Object.keys(store.unread).some((id) => id !== channel.id) ? h("span.dot") : null,
    ),
    channel.type === 1 ? h("span.at", {}, "@") : icon(thread ? "thread" : "hash"),
    parent && thread
      ? [h("button.crumb", { onclick: () => go(parent.id) }, parent.name), h("span.crumb-sign", {}, "›")]
      : null,
    h("h2", {}, title(channel)),
    channel.topic ? h("span.topic", { title: channel.topic }, channel.topic) : null,
    h("span.space"),
    channel.can_thread
      ? h(
          "button.icon-button",
          { onclick: newThread, title: t("New thread"), "aria-label": t("New thread") },
          icon("thread"),
        )
      : null,
    channel.can_delete
      ? h(
          "button.icon-button",
          { onclick: deleteChannel, title: deleteLabel(thread), "aria-label": deleteLabel(thread) },
          icon("bin"),
        )
      : null,
    h(
      "button.icon-button",
      { onclick: () => togglePeople(), title: t("People at the table"), "aria-label": t("People at the table") },
      icon("people"),
    ),
  );
}

const deleteLabel = (thread) => t(thread ? "Delete thread" : "Delete channel");

async function deleteChannel() {
  const { id, name, parent_id: parent } = store.channel;
  const sure = await confirm(
    t("Delete {name}?", { name }),
    t("Everything that was written there is lost."),
    t("Delete"),
  );
  if (sure && (await attempt("delete_channel", { channel: id })) && store.channels.has(parent)) go(parent);
}

async function newChannel() {
  const name = await ask(t("New channel"), t("Channel name"));
  const made = name && (await attempt("channel", { server: store.server.id, name }));
  if (made) await arrive(made.id);
}

async function newThread() {
  const name = await ask(t("New thread"), t("Thread name"));
  const made = name && (await attempt("thread", { channel: store.channel.id, name }));
  if (made) await arrive(made.id);
}

export async function arrive(id) {
  for (let tries = 0; tries < 40 && !store.channels.has(id); tries += 1)
    await new Promise((done) => setTimeout(done, 50));
  go(id);
}

// --- drawers on a phone -----------------------------------------------------------------------------
function drawer(which) {
  document.body.dataset.drawer = which;
  const veil = document.getElementById("veil");
  veil.hidden = false;
  veil.onclick = closeDrawers;
  document.querySelector(`#${which} button`)?.focus();
}

export function closeDrawers() {
  delete document.body.dataset.drawer;
  document.getElementById("veil").hidden = true;
}

function togglePeople() {
  if (matchMedia("(max-width: 900px)").matches) drawer("people");
  else document.body.classList.toggle("no-people");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.body.dataset.drawer) closeDrawers();
});

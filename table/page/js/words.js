// The page's own words, in the language of whoever sits here: English in the code, its German below.
import { store } from "./store.js";

const GERMAN = {
  // dialogs
  Done: "Fertig",
  Cancel: "Abbrechen",
  Close: "Schließen",
  Delete: "Löschen",
  Language: "Sprache",
  "Time zone": "Zeitzone",
  "Please write something.": "Bitte schreib etwas.",
  // the message box
  "You do not have permission to send messages in this channel.":
    "Du darfst in diesem Kanal keine Nachrichten schreiben.",
  "Message {place}": "Nachricht an {place}",
  "Upload a file": "Datei hochladen",
  Send: "Senden",
  "Replying to {name}": "Antwort an {name}",
  "Do not reply": "Nicht antworten",
  "Remove {name}": "{name} entfernen",
  Commands: "Befehle",
  "Commands matching /{text}": "Befehle, die zu /{text} passen",
  "No command fits": "Kein Befehl passt",
  Members: "Mitglieder",
  // slash commands, forms and menus
  "Command {name}": "Befehl {name}",
  "No options match your search.": "Nichts passt zu deiner Suche.",
  "Nothing fits": "Nichts passt",
  True: "Ja",
  False: "Nein",
  "{name}: this option is required.": "{name}: Das fehlt noch.",
  "This form will be submitted to {name}. Do not share passwords or other sensitive information.":
    "Dieses Formular geht an {name}. Schreib keine Passwörter und nichts Vertrauliches hinein.",
  Submit: "Abschicken",
  "Something went wrong. Try again.": "Etwas ist schiefgegangen. Versuch es noch einmal.",
  "Make a selection": "Triff eine Auswahl",
  Search: "Suchen",
  "No results": "Nichts gefunden",
  // messages
  APP: "APP",
  NEW: "NEU",
  "New messages": "Neue Nachrichten",
  "This is the beginning of your direct messages with {name}.":
    "Hier beginnen deine Direktnachrichten mit {name}.",
  "This is the start of the thread.": "Hier beginnt der Thread.",
  "This is the start of the #{name} channel.": "Hier beginnt der Kanal #{name}.",
  "Welcome to #{name}!": "Willkommen in #{name}!",
  "{name} is typing…": "{name} schreibt …",
  "{name} is thinking": "{name} überlegt",
  "The application did not respond": "Die App hat nicht geantwortet",
  "This interaction failed": "Das hat nicht geklappt",
  "{name} pinned a message to this channel.": "{name} hat eine Nachricht in diesem Kanal angeheftet.",
  "{name} used {command}": "{name} hat {command} benutzt",
  "Original message was deleted": "Die Nachricht wurde gelöscht",
  "Click to see the card": "Zur Karte",
  "Click to see the attachment": "Zum Anhang",
  " (edited)": " (bearbeitet)",
  "Only you can see this": "Nur du siehst das",
  "Dismiss message": "Nachricht ausblenden",
  "New thread": "Neuer Thread",
  "Thread name": "Name des Threads",
  "Delete this message?": "Diese Nachricht löschen?",
  "Nobody will see it any more.": "Niemand wird sie mehr sehen.",
  Reply: "Antworten",
  "Create thread": "Thread eröffnen",
  "Delete message": "Nachricht löschen",
  "{count} message": "{count} Nachricht",
  "{count} messages": "{count} Nachrichten",
  "Last activity {when}": "Zuletzt {when}",
  "No messages yet": "Noch keine Nachrichten",
  "{name} started a thread: {thread}.": "{name} hat einen Thread eröffnet: {thread}.",
  "The first message of this thread was deleted.": "Die erste Nachricht dieses Threads wurde gelöscht.",
  "#a channel you cannot see": "#ein Kanal, den du nicht siehst",
  message: "Nachricht",
  "Spoiler, press to show": "Verdeckt: drücken zum Zeigen",
  "Yesterday at {time}": "gestern um {time}",
  // pictures
  Picture: "Bild",
  "Enlarge: {alt}": "Vergrößern: {alt}",
  "Enlarge the picture": "Das Bild vergrößern",
  "Previous picture": "Voriges Bild",
  "Next picture": "Nächstes Bild",
  "Zoom out": "Verkleinern",
  "Zoom in": "Vergrößern",
  "Open in a new tab": "In neuem Tab öffnen",
  // the frame of the page
  "Skip to the message box": "Zum Nachrichtenfeld",
  Servers: "Server",
  Channels: "Kanäle",
  Messages: "Nachrichten",
  "Direct Messages": "Direktnachrichten",
  "Text channels": "Textkanäle",
  "Create channel": "Kanal anlegen",
  "New channel": "Neuer Kanal",
  "Channel name": "Name des Kanals",
  "Message {name}": "Nachricht an {name}",
  unread: "ungelesen",
  "{count} mentions": "{count} Erwähnungen",
  "Language and time zone": "Sprache und Zeitzone",
  "Light or dark": "Hell oder dunkel",
  Settings: "Einstellungen",
  "Delete thread": "Thread löschen",
  "Delete channel": "Kanal löschen",
  "Delete {name}?": "{name} löschen?",
  "Everything that was written there is lost.": "Alles, was dort steht, ist dann verloren.",
  "You cannot see that channel.": "Diesen Kanal siehst du nicht.",
  "Nobody sits at this table yet.": "An diesem Tisch sitzt noch niemand.",
  "People at the table": "Leute am Tisch",
  "At the table — {count}": "Am Tisch — {count}",
  "App — {count}": "App — {count}",
  "Somebody else…": "Jemand anders …",
  Somebody: "Jemand",
  "{name}, this is you": "{name}, das bist du",
  "Become {name}": "{name} werden",
  you: "du",
  online: "online",
  offline: "offline",
  "Who sits down?": "Wer setzt sich?",
  Name: "Name",
  "The table gave no answer.": "Der Tisch hat nicht geantwortet.",
  "The table refused.": "Der Tisch hat abgelehnt.",
};

// What the table says when it refuses, as far as somebody meets it at the page.
const REFUSALS = [
  [/^(.+): this field is required\.$/, "$1: Das fehlt noch."],
  [/^\/.+: the option (.+) is required\.$/, "$1: Das fehlt noch."],
  [/^(.+): between (\d+) and (\d+) characters, please\.$/, "$1: bitte $2 bis $3 Zeichen."],
  [/^(.+): choose one\.$/, "$1: Wähle eines."],
  [/^(.+): choose (\d+)\.$/, "$1: Wähle $2."],
  [/^(.+): choose (\d+) to (\d+)\.$/, "$1: Wähle $2 bis $3."],
  [/^(.+): (.+) is not one of the choices\.$/, "$1: „$2“ steht nicht zur Wahl."],
  [/^(.+): (.+) is not a number\.$/, "$1: „$2“ ist keine Zahl."],
  [/^(.+): (.+) is out of range\.$/, "$1: $2 ist zu groß oder zu klein."],
  [/^There is already somebody called (.+)\.$/, "$1 sitzt schon am Tisch."],
  [/^A name has 1 to 32 characters, and something to see\.$/, "Ein Name hat 1 bis 32 sichtbare Zeichen."],
  [/^A thread's name has 1 to 100 characters\.$/, "Der Name eines Threads hat 1 bis 100 Zeichen."],
  [/^A channel's name has 1 to (\d+) characters\.$/, "Der Name eines Kanals hat 1 bis $1 Zeichen."],
  [/^Your files are too powerful: 10 MiB is the most\.$/, "Zu große Dateien: höchstens 10 MiB."],
  [/^The file did not arrive whole\.$/, "Die Datei ist nicht ganz angekommen."],
  [/^This form is no longer open\.$/, "Dieses Formular ist nicht mehr offen."],
  [/^This is the only channel: .*$/, "Das ist der einzige Kanal: Leg zuerst einen anderen an."],
  [/^Loading options failed\.$/, "Die Auswahl ließ sich nicht laden."],
  [/^(.+) is disabled\.$/, "$1 geht zurzeit nicht."],
  [/^This thread is locked\.$/, "Dieser Thread ist geschlossen."],
];

export function german() {
  return (store.me?.locale ?? navigator.language).split("-")[0] === "de";
}

export function t(text, facts = {}) {
  const said = german() ? (GERMAN[text] ?? text) : text;
  return said.replace(/\{(\w+)\}/g, (hole, name) => facts[name] ?? hole);
}

// A sentence with elements in it: what stands between them, and they, in the order of the language.
export function parts(text, elements) {
  return t(text)
    .split(/\{(\w+)\}/)
    .map((each, index) => (index % 2 ? elements[each] : each));
}

// A refusal of the table's, in the person's language.
export function refusal(text) {
  if (!german()) return text;
  const found = REFUSALS.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : t(text);
}

// The words of the frame, which are there before anybody sits down.
export function drawFrame() {
  document.documentElement.lang = german() ? "de" : "en";
  document.querySelector("a.skip").textContent = t("Skip to the message box");
  const names = { rail: "Servers", channels: "Channels", log: "Messages", people: "People at the table" };
  for (const [id, name] of Object.entries(names))
    document.getElementById(id).setAttribute("aria-label", t(name));
}

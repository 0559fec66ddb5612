export const SENTENCES = [
  "The pump stopped again last night and the line is down.",
  "Customer asks for a replacement under warranty.",
  "Please call back before noon, they are in a hurry.",
  "Wir haben das Ersatzteil gestern verschickt; Lieferung am Donnerstag.",
  "Le client n'est pas satisfait de la réponse précédente.",
  "Se ha enviado la factura nº 4711 por correo electrónico.",
  "お世話になっております。納期についてご確認をお願いいたします。",
  "请尽快处理此问题,谢谢。",
  "يرجى الاتصال بنا في أقرب وقت ممكن.",
  "אנא צרו קשר בהקדם האפשרי.",
  "Спасибо за быстрый ответ, всё работает.",
  "Temperature rises above 80 °C after ~15 min; see photo №3.",
  'Quote: "we never had this with the old one" – hmm 🤔',
  "Serial no. is 00012345, purchased 03/04/2019 (or 04/03?).",
  "Updated firmware to v2.10.3-rc1 & rebooted twice.",
  "They want 5 % off, else they go to the competitor 😬.",
  "Naïve façade coöperation, e\u0301clair with a combining accent.",
  "Path is C:\\Program Files\\Acme\\logs\\error.log, line 42.",
  "See https://example.com/kb?id=17&lang=en#top for the steps.",
  "Price 1.234,56 € net, 19 % VAT on top.",
  "No answer at the reception, left a voice mail.",
  "Family 👨‍👩‍👧‍👦 emoji with joiners, flag 🇨🇭, astral 𝒳 and zero\u200bwidth.",
  "Line separator\u2028inside, then a tab\tand more.",
  "if (a < b && c > d) { return '<none>'; }",
  "Kind regards",
  "Approved by finance on the phone.",
  "Second reminder sent.",
  "The technician was on site for 2 h 15 min.",
  "Part is out of stock until calendar week 38.",
  "Root cause: bearing wear; corrective action: new seal kit.",
  "asdf",
  "— forwarded —",
] as const;

export const SUBJECTS = [
  "Pump makes noise", "Invoice wrong", "Delivery delayed", "Order 4711: missing parts", "Passwort vergessen",
  "Urgent!!! line is down", "Question about the manual", "Réclamation", "Rückfrage zum Angebot",
  "Login not possible", "Warranty claim", "納期の確認", "استفسار", "Leak at flange", "Re: Re: Fwd: your message",
  "Software crashes on start", "Spare part request", "Complaint about technician", "Change of address", "a",
  "Cannot open \"report.pdf\"", "Sensor drift > 5 %", "Feature request: dark mode 🌙", "Return & refund",
  "Training wanted",
] as const; // prettier-ignore

export const TASK_SUBJECTS = [
  "Call", "Send Letter", "Send Quote", "Follow up", "Check invoice", "Prepare visit", "Rückruf", "Other",
  "Send contract", "Ask for reference",
] as const; // prettier-ignore

export const EVENT_SUBJECTS = [
  "Meeting", "Call", "Email", "Site visit", "Workshop", "Kick-off", "Jour fixe", "Lunch", "Demo", "QBR",
  "Trade fair 🎪", "Other",
] as const; // prettier-ignore

import { stripInvisible } from '../text/escape.ts';
import { linesOf } from './comment-lines.ts';

/**
 * Cuts off what a mail program puts below the comment when a person answers by mail: it was written
 * by others. It must reach to the end of the comment, begin with a separator or a line that
 * introduces it, and not be in code.
 */
export function withoutMail(body: string): string {
  const lines = linesOf(body);
  const texts = lines.map((line) => stripInvisible(line.text).text);
  let end = body.length;
  for (let block = 0; block < MOST_BLOCKS; block += 1) {
    const start = lines.findIndex(
      (line, index) => index > 0 && !line.isCode && startsMail(texts, index),
    );
    if (start < 0) break;
    end = lines[start]?.at ?? end;
    texts.length = start;
  }
  return body.slice(0, end);
}

/** A mail, and the signatures below and above it. */
const MOST_BLOCKS = 3;

/**
 * True if a signature or a mail that the author did not write begins at this line, and reaches to
 * the end.
 */
function startsMail(texts: readonly string[], at: number): boolean {
  const near = texts.slice(at, at + 8).map((text) => text.replace(/^(?:> ?)+/, '').trimEnd());
  if (texts[at] === '-- ' || ORIGINAL.test(near[0] ?? '')) return true;
  return isSignature(texts, at) || isForwarded(near) || isIntroduced(texts, at);
}

const LONGEST_SIGNATURE = 6;

/**
 * True for two hyphens below an empty line (below a line of text they make it a heading), with a
 * few lines and no empty line after them.
 */
function isSignature(texts: readonly string[], at: number): boolean {
  const below = texts.slice(at + 1);
  return (
    texts[at] === '--' &&
    texts[at - 1] === '' &&
    below.length <= LONGEST_SIGNATURE &&
    !below.includes('')
  );
}

const ORIGINAL =
  /^-{2,} ?(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|original(?:meddelande|meddelelse)|opprinnelig melding|alkuperäinen viesti|původní zpráva|oryginalna wiadomość|исходное сообщение|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지) ?-{2,}$/i;
const RULE = /^_{10,}$/;
const FROM =
  /^\*{0,2}(?:from|von|de|da|van|från|fra|od|od kogo|от|від|kimden|gönderen|lähettäjä|feladó|από|expeditor|odesílatel|差出人|发件人|寄件者|보낸 사람)\s?[:：]\*{0,2}\s*\S/i;
const HEADER = /^\*{0,2}\p{L}[\p{L} '’]{0,20}[:：]\*{0,2}\s*\S/u;
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{4}[年년]/;
const ADDRESS = /<[^\s<>@]+@[^\s<>@]+>|[[(]mailto:/i;

/** What Outlook puts above a mail: a line, and the mail's sender, date and subject. */
function isForwarded(lines: readonly string[]): boolean {
  const [from = '', second = '', third = ''] = lines.filter(
    (line) => line !== '' && !RULE.test(line),
  );
  return (
    FROM.test(from) && HEADER.test(second) && HEADER.test(third) && DATE.test(`${second} ${third}`)
  );
}

// "wrote", at the end of the line, or before the name.
const WROTE =
  /\b(?:schrieb|schreef|skrev)(?: \S+){1,5}\s?[:：]$|\b(?:wrote|writes|schrieb|schreibt|escribió|escreveu|scritto|schreef|skrev|skrifaði|napisał(?:\(a\)|a)?|napsala?|napsal\(a\)|kirjoitti|írta|yazdı|scris|rašė|a écrit|đã viết)\s?[:：]$|(?:написал\(?а?\)?|пишет|пише|писав|написа|έγραψε|כתב\/?ה?|كتب|เขียนว่า|写道|寫道|のメール|님이 작성)\s?[:：]$/iu;
const ADDRESS_AT_END = /[>\])]\s?[:：]$/;
/** A preposition, a weekday, a date or a name. */
const START = /^[\p{Lu}\p{Lo}\d"'<]|^\p{Ll}{1,4}\.?,? ?\d/u;
const LONGEST_INTRODUCTION = 3;

/**
 * True if a sentence over one to three lines says who wrote at which time, and everything behind
 * it, to the end, is a quotation.
 */
function isIntroduced(texts: readonly string[], at: number): boolean {
  const lines = texts
    .slice(at, at + LONGEST_INTRODUCTION)
    .map((text) => text.replace(/^(?:> ?)+/, '').trim());
  const count = lines.findIndex((line) => line === '' || /[:：]\*{0,2}$/.test(line)) + 1;
  const line = lines.slice(0, count).join(' ').replace(/\*\*/g, '');
  const hasSender = ADDRESS.test(line);
  const isWritten = WROTE.test(line) && (hasSender || DATE.test(line));
  if (!isWritten && !(ADDRESS_AT_END.test(line) && DATE.test(line))) return false;
  // A sentence over several lines has the date in its first: a line above that is the author's
  // text.
  if (!START.test(line) || (count > 1 && !DATE.test(lines[0] ?? ''))) return false;
  const paragraphs = texts
    .slice(at + count)
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  const isQuoted = (text: string) => /^(?:>|$)/.test(text);
  return paragraphs.every(isQuoted) || (hasSender && !paragraphs.some(isQuoted));
}

import { stripInvisible } from '../text/escape.ts';
import { linesOf } from './comment-lines.ts';

/**
 * Cuts off what a mail program puts below the comment when a person answers by mail: it was written
 * by others, and must not become part of the instruction. It must reach to the end of the comment,
 * begin with a separator or a line that introduces it, and not be in code.
 */
export function withoutMail(body: string): string {
  const lines = linesOf(body);
  const texts = lines.map((line) => stripInvisible(line.text).text);
  let end = body.length;
  for (let block = 0; block < MOST_BLOCKS; block += 1) {
    // The first line is the person's own: it has the command.
    const start = lines.findIndex(
      (line, index) => index > 0 && !line.isCode && startsMail(texts, index),
    );
    if (start < 0) break;
    end = lines[start]?.at ?? end;
    // A signature above the mail now reaches to the end: the next round finds it.
    texts.length = start;
  }
  return body.slice(0, end);
}

/** A mail, and the signatures below and above it. */
const MOST_BLOCKS = 3;

/** What a quotation puts before each line. */
const QUOTE_MARKS = /^(?:> ?)+/;
/** What Outlook writes above a mail, empty lines included, has at most so many lines. */
const LONGEST_HEAD = 8;

/**
 * True if a signature or a mail that the author did not write begins at this line, and reaches to
 * the end.
 */
function startsMail(texts: readonly string[], at: number): boolean {
  // The mail below may be quoted with all that its program wrote above it.
  const head = texts
    .slice(at, at + LONGEST_HEAD)
    .map((text) => text.replace(QUOTE_MARKS, '').trimEnd());
  // By the rules for mail, two hyphens and a space begin a signature, however long it is. The space
  // is in the text, and trimmed in `head`.
  if (texts[at] === '-- ' || ORIGINAL.test(head[0] ?? '')) return true;
  return isSignature(texts, at) || isForwarded(head) || isIntroduced(texts, at);
}

const LONGEST_SIGNATURE = 6;

/**
 * True for a signature whose space behind the hyphens was lost. In Markdown two hyphens have other
 * meanings (below a line of text they make it a heading), so it must be short, in one piece and
 * below an empty line.
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

/** "Original message" between hyphens, in many languages. */
const ORIGINAL =
  /^-{2,} ?(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|original(?:meddelande|meddelelse)|opprinnelig melding|alkuperäinen viesti|původní zpráva|oryginalna wiadomość|исходное сообщение|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지) ?-{2,}$/i;
const RULE = /^_{10,}$/;
const FROM =
  /^\*{0,2}(?:from|von|de|da|van|från|fra|od|od kogo|от|від|kimden|gönderen|lähettäjä|feladó|από|expeditor|odesílatel|差出人|发件人|寄件者|보낸 사람)\s?[:：]\*{0,2}\s*\S/i;
const HEADER = /^\*{0,2}\p{L}[\p{L} '’]{0,20}[:：]\*{0,2}\s*\S/u;
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{4}[年년]/;
const ADDRESS = /<[^\s<>@]+@[^\s<>@]+>|[[(]mailto:/i;

/**
 * True for what Outlook puts above a mail: a rule, and the mail's sender, date and subject. The
 * date is in the second or the third line.
 */
function isForwarded(head: readonly string[]): boolean {
  const [from = '', second = '', third = ''] = head.filter(
    (line) => line !== '' && !RULE.test(line),
  );
  return (
    FROM.test(from) && HEADER.test(second) && HEADER.test(third) && DATE.test(`${second} ${third}`)
  );
}

// "wrote", at the end of the line, or before the name.
const WROTE =
  /\b(?:schrieb|schreef|skrev)(?: \S+){1,5}\s?[:：]$|\b(?:wrote|writes|schrieb|schreibt|escribió|escreveu|scritto|schreef|skrev|skrifaði|napisał(?:\(a\)|a)?|napsala?|napsal\(a\)|kirjoitti|írta|yazdı|scris|rašė|a écrit|đã viết)\s?[:：]$|(?:написал\(?а?\)?|пишет|пише|писав|написа|έγραψε|כתב\/?ה?|كتب|เขียนว่า|写道|寫道|のメール|님이 작성)\s?[:：]$/iu;
/** The end of an address in brackets, and a colon. */
const ADDRESS_AT_END = /[>\])]\s?[:：]$/;
/** The end of the sentence, which a mail program may print in bold. */
const COLON_AT_END = /[:：]\*{0,2}$/;
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
    .map((text) => text.replace(QUOTE_MARKS, '').trim());
  const lastLine = lines.findIndex((line) => line === '' || COLON_AT_END.test(line));
  // The sentence ends with a colon, before any empty line.
  if (!lines[lastLine]) return false;
  const lineCount = lastLine + 1;
  const sentence = lines.slice(0, lineCount).join(' ').replace(/\*\*/g, '');
  const hasAddress = ADDRESS.test(sentence);
  const hasDate = DATE.test(sentence);
  const saysWrote = WROTE.test(sentence) && (hasAddress || hasDate);
  // In a language that `WROTE` does not know, address and date are enough.
  const saysWho = ADDRESS_AT_END.test(sentence) && hasDate;
  if (!saysWrote && !saysWho) return false;
  if (!START.test(sentence)) return false;
  // A sentence over several lines has the date in its first: a line above that is the author's
  // text.
  if (lineCount > 1 && !DATE.test(lines[0] ?? '')) return false;
  const paragraphs = texts
    .slice(at + lineCount)
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  // Empty: nothing follows the sentence.
  const isQuotedOrEmpty = (text: string) => /^(?:>|$)/.test(text);
  // Some programs put no marks before the mail: then only an address shows that it is one. A text
  // that is quoted in parts has the author's own answers between them.
  return paragraphs.every(isQuotedOrEmpty) || (hasAddress && !paragraphs.some(isQuotedOrEmpty));
}

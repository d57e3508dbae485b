import { stripInvisible } from '../text/escape.ts';
import { type CommentLine, linesOf } from './comment-lines.ts';

/**
 * A comment can be written as the answer to a mail. What the mail program puts below it was written by others: it is cut off
 * where it is the end of the comment, behind a line that introduces it or a separator, and outside of code.
 */
export function withoutMail(body: string): string {
  const lines = linesOf(body);
  const texts = lines.map(({ text }) => stripInvisible(text).text.trimEnd());
  let end = lines.length;
  for (let pass = 0; pass < MOST_BLOCKS; pass += 1) {
    const whole = texts.slice(0, end);
    const start = whole.findIndex((_, at) => at > 0 && lines[at]?.isCode === false && startsMail(whole, lines, at));
    if (start < 0) break;
    end = start;
  }
  return lines
    .slice(0, end)
    .map(({ raw }) => raw)
    .join('');
}

/** A mail, and the signatures below and above it. */
const MOST_BLOCKS = 3;

function startsMail(texts: readonly string[], lines: readonly CommentLine[], at: number): boolean {
  const isDelimiter = /^--[ \u00a0]$/.test(lines[at]?.text ?? '');
  return isDelimiter || isSignature(texts, at) || isForwarded(texts, at) || isIntroduced(texts, at);
}

const LONGEST_SIGNATURE = 6;

/** Two hyphens that no heading is above, and right below them a few lines. */
function isSignature(texts: readonly string[], at: number): boolean {
  if (texts[at] !== '--' || texts[at - 1] !== '') return false;
  const block = texts
    .slice(at + 1)
    .join('\n')
    .trimEnd();
  return block !== '' && !/^\n|\n\n/.test(block) && block.split('\n').length <= LONGEST_SIGNATURE;
}

const ORIGINAL =
  /^-{2,} ?(?:original (?:message|appointment)|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|original(?:meddelande|meddelelse)|opprinnelig melding|alkuperäinen viesti|původní zpráva|oryginalna wiadomość|исходное сообщение|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지) ?-{2,}$/i;
const RULE = /^_{10,}$/;
const FROM =
  /^\*{0,2}(?:from|von|de|da|van|från|fra|od|od kogo|от|від|kimden|gönderen|lähettäjä|feladó|από|expeditor|odesílatel|差出人|发件人|寄件者|보낸 사람)\s?[:：]\*{0,2}\s*\S/i;
const HEADER = /^\*{0,2}\p{L}[\p{L} '’]{0,20}[:：]\*{0,2}\s*\S/u;
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{4}[年년]/;
const ADDRESS = /<[^\s<>@]+@[^\s<>@]+>|[[(]mailto:/i;

/** What Outlook puts above a mail: a separator, or the mail's sender, date and subject. */
function isForwarded(texts: readonly string[], at: number): boolean {
  const near = texts.slice(at, at + 8).map((text) => text.replace(/^(?:> ?)+/, '').trim());
  if (ORIGINAL.test(near[0] ?? '')) return true;
  const isRule = RULE.test(near[0] ?? '');
  const [from = '', second = '', third = ''] = near.slice(isRule ? 1 : 0).filter((text) => text !== '');
  if (near[0] === '' || !FROM.test(from)) return false;
  return HEADER.test(second) && HEADER.test(third) && DATE.test(`${second} ${third}`);
}

// "wrote", as it stands at the end of the line.
const WROTE =
  /\b(?:wrote|writes|schrieb|schreibt|escribió|escreveu|scritto|schreef|skrev|skrifaði|napisał(?:\(a\)|a)?|napsala?|napsal\(a\)|kirjoitti|írta|yazdı|scris|rašė|a écrit|đã viết)\s?[:：]$|(?:написал\(?а?\)?|пишет|пише|писав|написа|έγραψε|כתב\/?ה?|كتب|เขียนว่า|写道|寫道|のメール|님이 작성)\s?[:：]$/iu;
// In these languages the name comes after it.
const WROTE_BEFORE_NAME = /\b(?:schrieb|schreef|skrev)(?: \S+){1,5}\s?[:：]$/i;
const ADDRESS_AT_END = /[>\])]\s?[:：]$/;
/** A preposition, a weekday, a date or a name. */
const START = /^[\p{Lu}\p{Lo}\d"'<]|^\p{Ll}{1,4}\.?,? ?\d/u;
const LONGEST_INTRODUCTION = 3;

/** A line, or one that is wrapped, that says who wrote at which time, and behind it to the end nothing but a quotation. */
function isIntroduced(texts: readonly string[], at: number): boolean {
  const lines = texts.slice(at, at + LONGEST_INTRODUCTION).map((text) => text.replace(/^(?:> ?)+/, '').trim());
  const count = lines.findIndex((line) => /[:：]\*{0,2}$/.test(line)) + 1;
  const line = lines
    .slice(0, count)
    .join(' ')
    .replace(/^\*{1,2}|\*{1,2}$/g, '');
  if (count === 0 || lines.slice(0, count).includes('') || !isIntroduction(line)) return false;
  return isQuotation(texts.slice(at + count), ADDRESS.test(line));
}

function isIntroduction(line: string): boolean {
  const isWritten = WROTE.test(line) || WROTE_BEFORE_NAME.test(line);
  const found = [ADDRESS.test(line), DATE.test(line), isWritten].filter(Boolean);
  return found.length >= 2 && (isWritten || ADDRESS_AT_END.test(line)) && START.test(line);
}

/** Quoted from the first line to the last; behind the address of a sender also what is not quoted at all. */
function isQuotation(texts: readonly string[], hasSender: boolean): boolean {
  const paragraphs = texts
    .join('\n')
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const quoted = paragraphs.filter((text) => text.startsWith('>')).length;
  return quoted === paragraphs.length || (hasSender && quoted === 0);
}

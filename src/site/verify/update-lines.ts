/** Lines that say when a page was updated and nothing more: every build may change them. */

const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?`;
const NUMBER_OF_DAY = String.raw`\d{1,2}(?:st|nd|rd|th|er|\.|º)?`;
/** In any language, with the name of the weekday or without. */
const DATE = [
  String.raw`${NUMBER_OF_DAY}\s+(?:de\s+|of\s+)?\p{L}{3,12}\.?,?\s+(?:de\s+|del\s+)?\d{4}(?:\s+г)?`,
  String.raw`\p{L}{3,12}\.?\s+${NUMBER_OF_DAY},?\s+\d{4}`,
  // As C prints it, with the time before the year.
  String.raw`${MONTH}\s+${NUMBER_OF_DAY}\s+\d\d:\d\d:\d\d\s+\d{4}`,
  String.raw`${MONTH}\s+${NUMBER_OF_DAY}(?!\d)`,
  String.raw`${NUMBER_OF_DAY}\s+${MONTH}`,
  String.raw`${MONTH},?\s+\d{4}`,
  String.raw`\d{4}[-./]\d{1,2}[-./]\d{1,2}`,
  String.raw`\d{1,2}[-./]\s?\d{1,2}[-./]\s?\d{2,4}`,
  // Chinese, Japanese, Korean.
  String.raw`\d{4}\s*[年년.]\s*\d{1,2}\s*[月월.]\s*\d{1,2}\s*[日일.]?`,
].join('|');
const UNIT = '(?:(?:second|sec|minute|min|hour|hr|day|week|month|year)s?|mo|[smhdwy])';
/** In English: with other words behind it, `3 days` is content. */
const AGO = String.raw`(?:(?:about|almost|over|less\s+than|more\s+than)\s+)?(?:\d+|an?|one|a\s+few)\s*${UNIT}\s+ago|(?:just\s+|right\s+)?now|today|yesterday|(?:last|this)\s+${UNIT}|(?:a\s+few\s+)?moments?\s+ago`;
/** In other languages: `vor 3 Tagen`, `il y a un mois`; `3 giorni fa`; `3日前`; `gestern`. */
const AGO_ELSEWHERE = [
  String.raw`(?:vor|il\s+y\s+a|hace|há|před)\s+(?:\p{L}{2,8}\s+)?(?:\d{1,3}|eine[mnr]|un[ae]?|uma?)\s+\p{L}{1,10}\.?`,
  String.raw`(?:för\s+|for\s+)?(?:\d{1,3}|un[ao]?|een|en|ett?|bir)\s+\p{L}{1,10}\.?\s+(?:fa|geleden|sedan|siden|sitten|temu|önce|назад|тому|trước|yang\s+lalu|lalu)`,
  String.raw`\d{1,3}\s*\p{L}{1,4}\s*[前전]`,
  String.raw`gestern|heute|hier|aujourd['’]hui|ayer|hoy|ieri|oggi|ontem|hoje|gisteren|vandaag|i\s?går|i\s?dag|вчера|сегодня|昨日|今日|昨天|今天|어제|오늘`,
].join('|');
const TIME = String.raw`\d{1,2}[:.h]\d\d[^.!?]{0,20}`;

const LABEL = String.raw`(?:(?:this\s+)?(?:page|document|article|site)\s+)?(?:was\s+|is\s+)?(?:(?:last\s+|date\s+)?(?:updated?|modified|modification|edited|changed|revised|built|generated|commit(?:ted)?)(?:\s+(?:date|time))?|last\s+(?:published|refreshed|synced)|(?:build|revision)\s+(?:date|time))`;
/** In other languages: words that say nothing but this. */
const LABEL_ELSEWHERE = String.raw`zuletzt\s+(?:aktualisiert|geändert|bearbeitet)|letzte\s+(?:aktualisierung|änderung|bearbeitung)|aktualisiert|stand(?=:)|dernière\s+(?:mise\s+à\s+jour|modification)|mis(?:e)?\s+à\s+jour|última\s+(?:actualización|modificación|atualização|edición)|actualizado|atualizado|ultim[oa]\s+(?:aggiornamento|modifica)|aggiornato|laatst\s+(?:bijgewerkt|gewijzigd)|laatste\s+(?:update|wijziging)|bijgewerkt|senast\s+(?:uppdaterad|ändrad)|sidst\s+(?:opdateret|ændret)|sist\s+(?:oppdatert|endret)|viimeksi\s+(?:päivitetty|muokattu)|ostatni(?:a|o)\s+(?:aktualizacja|zaktualizowan[oa]|modyfikacja)|zaktualizowano|naposledy\s+(?:aktualizováno|upraveno)|poslední\s+(?:aktualizace|úprava)|son\s+güncelleme|последнее\s+(?:обновление|изменение)|обновлено|останнє\s+оновлення|оновлено|آخر\s+تحديث|עודכן\s+לאחרונה|τελευταία\s+(?:ενημέρωση|τροποποίηση)|cập\s+nhật(?:\s+lần\s+cuối)?|terakhir\s+(?:diperbarui|diubah)|最終更新日?時?|更新日時?|最[后後](?:更新|修改)(?:于|於|时间|時間|日期)?|上次更新(?:于|於|时间|時間)?|更新(?:于|於|时间)|마지막\s*(?:업데이트|수정)|최종\s*(?:업데이트|수정)일?|업데이트(?:\s*날짜)?`;

/** Signs around a line, and words such as `on`, `am`, `le`, with the name of a weekday. */
const BEFORE_DATE = String.raw`[\s:：,|·–—-]*(?:\p{L}{1,4}\s+)?(?:\p{L}{2,12}\.?,\s*|(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*\s+)?`;
// Who or what wrote it, with its version.
const BY = String.raw`(?:\s+(?:by|for)\s(?:[^.!?]|\.(?=\d)){1,60}?)?`;
/** The subject of a commit with its hash. */
const COMMIT = String.raw`(?::\s.{1,100}\([\da-f]{7,40}\))?`;
const AFTER_DATE = String.raw`(?:[T,\s]\s*(?:\p{L}{1,4}\s+)?${TIME})?${BY}${COMMIT}[\s.)\]。]*$`;
const START = String.raw`^[\p{P}\p{S}\s]*`;

const FLAGS = 'iu';
const WHEN_UPDATED = new RegExp(
  `${START}${LABEL}${BY}${BEFORE_DATE}(?:${DATE}|${AGO})${AFTER_DATE}`,
  FLAGS,
);
const WHEN_UPDATED_ELSEWHERE = new RegExp(
  `${START}(?:${LABEL_ELSEWHERE})${BEFORE_DATE}(?:${DATE}|${AGO_ELSEWHERE})${AFTER_DATE}`,
  FLAGS,
);
const LABEL_ALONE = new RegExp(
  String.raw`${START}(?:last\s+(?:updated?|modified|edited|changed)(?:\s+(?:on|at|date))?|updated(?:\s+(?:on|at))?|${LABEL_ELSEWHERE})[\s:：]*$`,
  FLAGS,
);
const DATE_ALONE = new RegExp(
  `${START}(?:\\p{L}{2,12}\\.?,\\s*)?(?:${DATE}|${AGO})${AFTER_DATE}`,
  FLAGS,
);
const SEPARATOR = /\s[·•|]\s/;
/** What stands in one line with it. */
const BESIDE =
  /^\s*(?:\d+\s+min(?:ute)?s?(?:\s+read)?|edit(?:\s+this)?\s+page(?:\s+on\s+\S+)?)\s*$/i;
const LONGEST_LINE = 160;

/** True for a line such as `Last updated on Nov 21, 2026, 14:02`, or `Zuletzt aktualisiert vor 3 Tagen`. */
export function isUpdateLine(line: string): boolean {
  if (line.length > LONGEST_LINE) return false;
  const parts = line.split(SEPARATOR);
  return parts.some(saysWhen) && parts.every((part) => saysWhen(part) || BESIDE.test(part));
}

function saysWhen(text: string): boolean {
  return WHEN_UPDATED.test(text) || WHEN_UPDATED_ELSEWHERE.test(text);
}

/** True for a line after which a line with a date alone says when the page was updated. */
export function isUpdateLabel(line: string): boolean {
  return line.length <= LONGEST_LINE && LABEL_ALONE.test(line);
}

/** True for a line that is a date or a time ago, and nothing more. */
export function isDateAlone(line: string): boolean {
  return line.length <= LONGEST_LINE && DATE_ALONE.test(line);
}

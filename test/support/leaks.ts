/** Searches texts for planted secrets, in every form in which one could leak. */

interface Leak {
  /** Name of the text, such as `stdout`. */
  readonly where: string;
  /** Name of the secret: the report of a leak must not leak it. */
  readonly secret: string;
  readonly form: string;
}

/**
 * Every leak of these secrets (name -> value) in these texts (name -> text); empty without a leak.
 */
export function findLeaks(
  secrets: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): Leak[] {
  const leaks: Leak[] = [];
  for (const [secret, value] of Object.entries(secrets)) {
    if (value.length < 6)
      throw new Error(`${secret} is too short to be distinguished from other text`);
    for (const [where, text] of Object.entries(texts)) {
      const folded = text.toLowerCase();
      const joined = text.replace(/[\s|]+/g, '');
      for (const { form, needle, anyCase } of secretForms(value)) {
        const found = anyCase
          ? folded.includes(needle.toLowerCase())
          : text.includes(needle) || joined.includes(needle);
        if (found) leaks.push({ where, secret, form });
      }
    }
  }
  return leaks;
}

/** Throws if a secret is found, with the name of the text, the secret's name and the form. */
export function assertNoLeaks(
  secrets: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): void {
  const leaks = findLeaks(secrets, texts);
  if (leaks.length === 0) return;
  throw new Error(
    `secrets leaked: ${leaks.map((leak) => `${leak.secret} (${leak.form}) in ${leak.where}`).join('; ')}`,
  );
}

interface SecretForm {
  readonly form: string;
  readonly needle: string;
  /** Hex digits in either case. */
  readonly anyCase?: boolean;
}

function secretForms(value: string): SecretForm[] {
  const forms: SecretForm[] = [
    { form: 'raw', needle: value },
    { form: 'reversed', needle: [...value].reverse().join('') },
    { form: 'percent', needle: encodeURIComponent(value), anyCase: true },
    { form: 'percent, every byte', needle: hex(value, '%'), anyCase: true },
    { form: 'json', needle: JSON.stringify(value).slice(1, -1) },
    { form: 'json in json', needle: JSON.stringify(JSON.stringify(value)).slice(3, -3) },
    {
      form: 'html',
      needle: value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    },
    { form: 'markdown', needle: value.replace(/[\\`*_{}[\]()#~$^<>&|]/g, '\\$&') },
    { form: 'hex', needle: hex(value, ''), anyCase: true },
  ];
  for (const shift of [0, 1, 2]) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      forms.push({
        form: `${alphabet}, shift ${shift}`,
        needle: base64Core(value, shift, alphabet),
      });
    }
  }
  return forms.filter(({ needle }) => needle.length >= 6);
}

function hex(value: string, before: string): string {
  return [...Buffer.from(value)]
    .map((byte) => before + byte.toString(16).padStart(2, '0'))
    .join('');
}

/** The base64 characters that depend only on the value if `shift` unknown bytes are before it. */
function base64Core(value: string, shift: number, alphabet: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const wholeChars = Math.floor((bytes.length * 8) / 6);
  return bytes.toString(alphabet).slice(Math.ceil((shift * 8) / 6), wholeChars);
}

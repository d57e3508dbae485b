import * as z from 'zod/mini';
import type { HttpReply } from '../../http/exchange.ts';
import { jsonOf, type Meaning, type Meanings, meaningOf } from '../../http/service.ts';

const text = z.optional(z.string());
// Some registries leave out the code. Login services also give one text, under several names.
const errorReply = z.object({
  errors: z.optional(z.array(z.object({ code: text, message: text }))),
  message: text,
  error: text,
  error_description: text,
  details: text,
});

function readErrors(reply: HttpReply): z.infer<typeof errorReply> {
  return errorReply.safeParse(jsonOf(reply)).data ?? {};
}

/** The error codes in a reply of a registry; empty for another reply. */
export function errorCodes(reply: HttpReply): readonly string[] {
  return (readErrors(reply).errors ?? []).flatMap(({ code }) => code ?? []);
}

/** What a registry or its login service says about a failure; empty: nothing. */
export function errorWords(reply: HttpReply): string {
  const { errors = [], message, error, error_description, details } = readErrors(reply);
  const listed = errors.map((one) => [one.code, one.message].filter(Boolean).join(' '));
  return [...listed, message, error, error_description, details].filter(Boolean).join('; ');
}

/** Refusals that only the words of a registry tell apart: registries give them other statuses. */
const REFUSALS: Meanings = [
  [
    /quota|storage limit/i,
    {
      code: 'forbidden',
      hint: 'The space of the repository is used up: delete images that are not needed, or raise the quota.',
      retry: 'no',
    },
  ],
  [
    /media ?type|schema version/i,
    {
      code: 'config',
      hint: 'This registry does not take images as of OCI 1.1, or only some media types: use another registry, or a newer version of it.',
      retry: 'no',
    },
  ],
];

/** What the words of a refusal say; undefined: nothing more than the status. */
export function refusalIn(reply: HttpReply): Meaning | undefined {
  const isRefusal = reply.status >= 400 && reply.status < 500 && reply.status !== 429;
  if (!isRefusal) return undefined;
  return refusalOf(errorWords(reply));
}

/** What these words of a registry mean, which a message may quote; undefined: nothing that is known. */
export function refusalOf(words: string): Meaning | undefined {
  return meaningOf(words, REFUSALS);
}

/** True if the registry says that it lets no tag be moved. */
export function saysImmutable(words: string): boolean {
  return /immutab|cannot be overwritten/i.test(words);
}

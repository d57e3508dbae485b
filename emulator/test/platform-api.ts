import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import * as z from 'zod/mini';

/** The platform's API description from `test/fixtures/platform-openapi.yaml`. */

const reference = z.object({ $ref: z.string() });
const media = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }),
});
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  requestBody: z.optional(z.unknown()),
  responses: z.record(z.string(), z.unknown()),
});
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

const FILE = join(import.meta.dirname, '../../test/fixtures/platform-openapi.yaml');
const document: unknown = parse(readFileSync(FILE, 'utf8'));

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly request: string;
  readonly contentType?: string | undefined;
  readonly status: number;
  readonly response: unknown;
}

export interface Finding {
  readonly operationId: string | undefined;
  readonly problems: readonly string[];
}

interface Operation extends z.infer<typeof operation> {
  readonly method: string;
  readonly pattern: RegExp;
}

function resolve(value: unknown): unknown {
  const found = reference.safeParse(value);
  if (!found.success) return value;
  let node: unknown = document;
  for (const key of found.data.$ref.slice(2).split('/'))
    node = z.record(z.string(), z.unknown()).parse(node)[key];
  return resolve(node);
}

/** Judges requests and replies by the description, independently of client and emulator. */
export class PlatformApi {
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
  });
  readonly #operations: readonly Operation[];
  readonly #validators = new Map<unknown, ValidateFunction>();

  constructor() {
    formats.default(this.#ajv);
    // The whole document, so its references are found; as a schema it accepts everything.
    this.#ajv.addVocabulary(['openapi', 'info', 'paths', 'components']);
    this.#ajv.addSchema(z.record(z.string(), z.unknown()).parse(document), 'platform');
    this.#operations = Object.entries(description.parse(document).paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, found]) => ({
          ...found,
          method: method.toUpperCase(),
          pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        })),
    );
  }

  get operationIds(): string[] {
    return this.#operations.map(({ operationId }) => operationId);
  }

  /** What is wrong with a request and its reply; empty if everything is as described. */
  judge(exchange: Exchange): Finding {
    const found = this.#find(exchange);
    if (found === undefined) return undescribed(exchange);
    return {
      operationId: found.operationId,
      problems: [...this.#judgeRequest(found, exchange), ...this.#judgeReply(found, exchange)],
    };
  }

  /** What is wrong with only the reply, for requests that are wrong on purpose. */
  judgeReply(exchange: Exchange): Finding {
    const found = this.#find(exchange);
    if (found === undefined) return undescribed(exchange);
    return { operationId: found.operationId, problems: this.#judgeReply(found, exchange) };
  }

  #find({ method, path }: Exchange): Operation | undefined {
    return this.#operations.find((one) => one.method === method && one.pattern.test(path));
  }

  #judgeRequest(
    { security, requestBody }: Operation,
    { key = '', request, contentType }: Exchange,
  ): string[] {
    const problems: string[] = [];
    const kind = key.includes('_dsc_') ? 'assistant' : 'admin';
    if (!security.some((scheme) => kind in scheme))
      problems.push(`request: the ${kind} key was sent`);
    const body = z.extend(media, { required: z.boolean() }).safeParse(resolve(requestBody));
    if (request === '')
      return body.success && body.data.required
        ? [...problems, 'request: no body was sent']
        : problems;
    if (!body.success) return [...problems, 'request: a body was sent where none is described'];
    if (contentType !== 'application/json')
      problems.push(`request: the body was sent as ${contentType}`);
    const { schema } = body.data.content['application/json'];
    return [...problems, ...this.#judgeBody(schema, parseJson(request), 'request')];
  }

  #judgeReply({ responses }: Operation, { status, response }: Exchange): string[] {
    const described = resolve(responses[String(status)] ?? responses['default']);
    const body = media.safeParse(described);
    if (!body.success) return [`the status ${status} is not described`];
    return this.#judgeBody(
      body.data.content['application/json'].schema,
      response,
      `reply ${status}`,
    );
  }

  #judgeBody(schema: unknown, value: unknown, what: string): string[] {
    const validate = this.#validators.get(schema) ?? this.#compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${what}: ${instancePath} ${message}`,
    );
  }

  #compile(schema: unknown): ValidateFunction {
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"platform#/'));
    const validate = this.#ajv.compile(rooted);
    this.#validators.set(schema, validate);
    return validate;
  }
}

function undescribed({ method, path }: Exchange): Finding {
  return { operationId: undefined, problems: [`${method} ${path} is not described`] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

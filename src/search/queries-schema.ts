/**
 * The queries file as a schema: what a key is called, what kind of value it takes, and its bounds. What one schema cannot
 * say (two keys that must agree) is in queries-file.ts. `schemas/queries-file.schema.json` is made from this file.
 */
import * as z from 'zod/mini';
import { PAGE_SIZE, SCORE_THRESHOLD } from '../platform/contract.ts';

/** Most queries in one file: far above what one run may request, and low enough to check in an instant. */
export const MAX_QUERIES = 5000;
const MAX_TEXT = 1000;
const MAX_LIST = 50;

function text(description: string, maxLength = MAX_TEXT) {
  return z.string().check(z.maxLength(maxLength), z.regex(/\S/), z.meta({ description }));
}

function list(description: string) {
  return z.optional(
    z.array(text('Text, taken literally.')).check(z.minLength(1), z.maxLength(MAX_LIST), z.meta({ description })),
  );
}

export const expectationSchema = z
  .strictObject({
    paths: list(
      'Pages that must be among the results. Scheme, host, a trailing slash, `.html`, query and fragment do not matter.',
    ),
    within: z.optional(
      z.int().check(
        z.minimum(1),
        z.maximum(PAGE_SIZE.max),
        z.meta({
          description: 'Each of `paths` must be among the first this many results. All results when left out.',
        }),
      ),
    ),
    absent: list('Pages that must not be among the results.'),
    'min-results': z.optional(
      z
        .int()
        .check(
          z.minimum(0),
          z.maximum(PAGE_SIZE.max),
          z.meta({ description: 'Minimum number of results. The input `min-results` when left out.' }),
        ),
    ),
    snippets: list(
      'Texts, each of which must be in the snippet of some result, letter for letter; only runs of white space count as one space.',
    ),
  })
  .check(z.meta({ description: 'What the results must be like for the query to pass.' }));

export const filterSchema = z
  .strictObject({
    version: z.optional(text('Only results of this documentation version.')),
    language: z.optional(text('Only results in this language.')),
    tag: z.optional(text('Only results with this tag.')),
    groups: list('Only results of pages that one of these groups may read.'),
  })
  .check(z.meta({ description: 'Narrows the results. A key that is left out comes from the inputs `filter-…`.' }));

/** One query of the file. */
export const queryEntrySchema = z.strictObject({
  query: text('What a reader would type.'),
  'page-size': z.optional(
    z
      .int()
      .check(
        z.minimum(PAGE_SIZE.min),
        z.maximum(PAGE_SIZE.max),
        z.meta({ description: 'Number of results to ask for. The input `page-size` when left out.' }),
      ),
  ),
  'score-threshold': z.optional(
    z
      .number()
      .check(
        z.minimum(SCORE_THRESHOLD.min),
        z.maximum(SCORE_THRESHOLD.max),
        z.meta({ description: 'Minimum relevance of a result. The input `score-threshold` when left out.' }),
      ),
  ),
  filter: z.optional(filterSchema),
  expect: z.optional(expectationSchema),
});

export const queriesFileSchema = z
  .strictObject({
    $schema: z.optional(z.string().check(z.meta({ description: 'Address of this schema, for editors.' }))),
    queries: z
      .array(queryEntrySchema)
      .check(z.minLength(1), z.maxLength(MAX_QUERIES), z.meta({ description: 'The queries to run.' })),
  })
  .check(
    z.meta({
      title: 'Docs Courier queries file',
      description: 'Queries for the search of published documentation, each with what its results must be like.',
    }),
  );

export type QueryEntry = z.infer<typeof queryEntrySchema>;

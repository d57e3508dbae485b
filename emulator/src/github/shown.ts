import type { AppContext } from './http.ts';
import { renderBody, renderMail } from './markdown/render.ts';
import type { Store } from './store.ts';

const MEDIA_TYPE = /^application\/vnd\.github(?:\.v3)?\.full\+json\b/;

/**
 * https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types: each
 * text that a reply has as `body` is also there in HTML, as a page shows it.
 */
export async function addShownBodies(c: AppContext, store: Store): Promise<void> {
  if (!MEDIA_TYPE.test(c.req.header('accept') ?? '') || c.res.status !== 200) return;
  const repository = c.req.path.split('/').slice(2, 4).join('/');
  const reply: unknown = await c.res.json();
  const isMail = (body: string) =>
    store.conversations.comments.some((one) => one.byMail && one.body === body);
  const addTo = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(addTo);
    if (typeof value !== 'object' || value === null || !('body' in value)) return value;
    const { body } = value;
    if (typeof body !== 'string' || body === '') return { ...value, body_html: null };
    const html = isMail(body) ? renderMail(body) : renderBody(body, { repository });
    return { ...value, body_html: html, body_text: body };
  };
  c.res = c.json(addTo(reply), 200, Object.fromEntries(c.res.headers));
}

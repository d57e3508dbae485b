import { join } from 'node:path';
import fc from 'fast-check';

// `npm test` has the same result for the same code every time; `npm run soak` tries new cases.
if (process.env.SOAK !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });

// Programs that tests start compile their modules once for all of them: that is more than half of
// their time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/node');

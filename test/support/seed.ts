import fc from 'fast-check';

// `npm test` has the same result for the same code every time; `npm run soak` tries new cases.
if (process.env.SOAK !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });

import fc from 'fast-check';

// `npm test` says the same about the same code every time; `npm run soak` looks for cases that nobody has tried.
if (process.env.SOAK !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });

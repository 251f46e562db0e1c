import { registerHooks } from 'node:module';

/** Preloaded by a program (`--import`), prints at its end how many files it has loaded as modules. */
let count = 0;
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) count++;
    return nextLoad(url, context);
  },
});
process.on('exit', () => process.stderr.write(`Loaded ${count} files.\n`));

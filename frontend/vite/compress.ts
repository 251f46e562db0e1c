import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Plugin } from 'vite';

const textFiles = /\.(js|css|svg)$/;

/** Stores a compressed copy beside every text file of the build, so that the server compresses nothing. */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        const folder = join(dir!, 'assets');
        const names = readdirSync(folder).filter((name) => textFiles.test(name));
        await Promise.all(names.flatMap((name) => [brotli(join(folder, name)), gzip(join(folder, name))]));
      },
    },
  };
}

const brotli = (file: string) =>
  pipeline(
    createReadStream(file),
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    createWriteStream(`${file}.br`),
  );

const gzip = (file: string) =>
  pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));

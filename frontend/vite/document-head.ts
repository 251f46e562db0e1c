import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { cssVariables } from '../src/app/theme/css-variables.ts';
import { theme } from '../src/app/theme/theme.ts';

const scripts = ['first-paint.js', 'start-app.js'].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
const linkedStyles = /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>\s*/;

/**
 * Inlines everything the first paint needs into the head of `index.html`, so that it waits for no further request: the
 * theme's CSS variables, the styles of the pages in plain CSS, the scripts that run before the first paint, and a
 * preload of the Latin font.
 */
export function documentHead(): Plugin {
  return {
    name: 'document-head',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        const tags: HtmlTagDescriptor[] = [
          { tag: 'style', children: cssVariables(theme), injectTo: 'head-prepend' },
          ...scripts.map((script) => ({ tag: 'script', children: withoutComments(script), injectTo: 'head' as const })),
        ];
        if (font) {
          const attrs = {
            rel: 'preload',
            href: `/${font}`,
            as: 'font',
            type: 'font/woff2',
            crossorigin: '',
            fetchpriority: 'low',
          };
          tags.push({ tag: 'link', attrs, injectTo: 'head' });
        }
        const sheet = linkedStyles.exec(html)?.[1];
        const styles = sheet === undefined ? undefined : bundle[sheet];
        if (styles?.type !== 'asset') return { html, tags };
        tags.push({ tag: 'style', children: String(styles.source), injectTo: 'head' });
        return { html: html.replace(linkedStyles, ''), tags };
      },
    },
  };
}

const withoutComments = (script: string) => script.replace(/^\s*\/\/.*\n/gm, '');

import type { HtmlTagDescriptor, Plugin } from 'vite';
import { cssVariables } from '../src/app/theme/css-variables.ts';
import { theme } from '../src/app/theme/theme.ts';

/**
 * Puts the theme's CSS variables and a preload of the Latin font into the head of index.html, so that pages in plain CSS
 * have the theme's colours and sizes from the first paint without loading the component library.
 */
export function themeInHead(): Plugin {
  return {
    name: 'theme-in-head',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        const tags: HtmlTagDescriptor[] = [{ tag: 'style', children: cssVariables(theme), injectTo: 'head-prepend' }];
        if (font) {
          const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
          tags.push({ tag: 'link', attrs, injectTo: 'head' });
        }
        return tags;
      },
    },
  };
}

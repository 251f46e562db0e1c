import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';

/** Addresses that search engines are to find; everything else is for people who were given its link, or signed in. */
export const publicPaths = ['/', '/pricing'];

/** `/robots.txt` and `/sitemap.xml`, with the public address of this installation. */
export function serveSearchEngines(app: NestExpressApplication, appUrl: string): void {
  const robots = ['User-agent: *', 'Disallow: /api/', 'Disallow: /dev/', `Sitemap: ${appUrl}/sitemap.xml`, ''].join(
    '\n',
  );
  const urls = publicPaths.map((path) => `  <url><loc>${xml(appUrl + path)}</loc></url>`).join('\n');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  const give = (type: string, text: string) => (_request: Request, response: Response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type(type).send(text);
  };
  const express = app.getHttpAdapter().getInstance() as { get: (path: string, handler: unknown) => void };
  express.get('/robots.txt', give('text/plain', robots));
  express.get('/sitemap.xml', give('application/xml', sitemap));
}

function xml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

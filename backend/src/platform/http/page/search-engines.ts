import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { freezeList } from '../../constants/freeze-list.js';
import { addMilliseconds, Clock, DAY } from '../../clock/clock.js';
import type { AppConfig } from '../../config/app-config.js';
import { legalContentOf } from '../../config/legal-pages.js';
import { commonErrors } from '../../errors/common.errors.js';

/** Validity of security.txt, in milliseconds; RFC 9116 recommends less than a year. */
const SECURITY_TEXT_LIFETIME = 180 * DAY;

/** Paths for search engines; all others are for people with a link, or signed in. */
export const publicPaths: readonly string[] = freezeList(['/', '/pricing']);

/** Pages that offer and sell plans, with the path patterns of the frontend's router. */
const BILLING_PAGES = /^\/(pricing|checkout)\/*$/i;

/** Legal pages that exist only if the operator has published them; the privacy page always exists. */
const LEGAL_PAGES = /^\/(terms|imprint)\/*$/i;

type SiteConfig = Pick<AppConfig, 'isBillingEnabled' | 'effectiveSetting'>;

/** Whether a page is unavailable in this installation: billing is off, or the legal page is not published. */
export function isUnavailablePage(path: string, config: SiteConfig): boolean {
  if (BILLING_PAGES.test(path)) return !config.isBillingEnabled;
  const page = LEGAL_PAGES.exec(path)?.[1]?.toLowerCase() as 'terms' | 'imprint' | undefined;
  return page !== undefined && legalContentOf(config, page).href === null;
}

/** Serves `/robots.txt`, `/sitemap.xml` and `/.well-known/security.txt`, with the public URL of this installation. */
export function serveSearchEngines(app: NestExpressApplication, config: AppConfig): void {
  // Created per request, because super admins may change the URL at runtime.
  const serveText = (type: string, text: () => string) => (_request: Request, response: Response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type(type).send(text());
  };
  const express = app.getHttpAdapter().getInstance() as { get: (path: string, handler: unknown) => void };
  express.get('/.well-known/security.txt', serveSecurityText(config, app.get(Clock)));
  express.get(
    '/robots.txt',
    serveText('text/plain', () => robotsText(config)),
  );
  express.get(
    '/sitemap.xml',
    serveText('application/xml', () => sitemapXml(config)),
  );
}

function robotsText({ appUrl }: AppConfig): string {
  return ['User-agent: *', 'Disallow: /api/', 'Disallow: /dev/', `Sitemap: ${appUrl}/sitemap.xml`, ''].join('\n');
}

function sitemapXml(config: AppConfig): string {
  const { appUrl } = config;
  const found = publicPaths.filter((path) => !isUnavailablePage(path, config));
  const urls = found.map((path) => `  <url><loc>${escapeXml(appUrl + path)}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

/** Contact for security reports (RFC 9116). Without a contact address the file does not exist. */
function serveSecurityText(config: AppConfig, clock: Clock) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const { appUrl, contactEmail: contact } = config;
    if (contact === null) return next(commonErrors.NOT_FOUND());
    const expires = addMilliseconds(clock.now(), SECURITY_TEXT_LIFETIME)
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const lines = [`Contact: mailto:${encodeURI(contact)}`, `Expires: ${expires}`, 'Preferred-Languages: en, tr'];
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type('text/plain').send([...lines, `Canonical: ${appUrl}/.well-known/security.txt`, ''].join('\n'));
  };
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

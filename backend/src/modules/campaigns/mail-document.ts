import type { Response } from 'express';
import type { RenderedMail } from './rendering/campaign-mail.service.js';

/** What a mail program allows: no script, no form, no page of ours inside; pictures from the web as mails have them. */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Answers with a mail as a document of its own; its links open beside the page. */
export function sendMailDocument(response: Response, { html }: RenderedMail): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.type('html').send(html.replace('<head>', '<head><base target="_blank">'));
}

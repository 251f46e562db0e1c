import { fileURLToPath } from 'node:url';
import { HandlebarsAdapter } from '@nestjs-modules/mailer/adapters/handlebars.adapter';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { legalContentOf } from '../config/legal-pages.js';
import type { Language, LocalizedText } from '../errors/app-error.js';
import type { EmailContent } from './email-definition.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

const linkHelp: LocalizedText = {
  en: "If the button doesn't work, open this link:",
  tr: 'Düğme çalışmazsa şu bağlantıyı açın:',
};
/** Legal links that recipients expect from an unknown sender. */
const legalLabels: Record<'imprint' | 'privacy', LocalizedText> = {
  imprint: { en: 'Imprint', tr: 'Künye' },
  privacy: { en: 'Privacy', tr: 'Gizlilik' },
};
const sentBy: LocalizedText = { en: 'Sent by {name}.', tr: '{name} tarafından gönderildi.' };

/** An email rendered as HTML and text. */
export interface RenderedEmail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The layout shared by all service emails. */
@Injectable()
export class EmailLayout {
  private readonly adapter = new HandlebarsAdapter(undefined, {
    inlineCssEnabled: true,
    inlineCssOptions: { keepStyleTags: false, loadRemoteStylesheets: false },
  });

  constructor(private readonly config: AppConfig) {}

  /**
   * Renders both parts. The template is filled here and not while sending, because the mailer would also expand `{{…}}`
   * that users wrote into a subject.
   * @throws Error when the button's URL is not http or https
   */
  async render(source: EmailContent, language: Language): Promise<RenderedEmail> {
    const content = toSingleLines(source);
    const button = content.button && { ...content.button, url: assertWebUrl(content.button.url) };
    const subject = toOneLine(content.subject);
    const { appName, appUrl } = this.config;
    const footer = sentBy[language].replace('{name}', () => appName);
    const links = this.legalLinks(language);
    const html = await this.renderTemplate({
      code: null,
      note: null,
      ...content,
      button: button ?? null,
      subject,
      language,
      appName,
      appUrl,
      footer,
      links,
      linkHelp: linkHelp[language],
      preview: content.paragraphs[0] ?? '',
    });
    return { subject, html, text: renderText({ ...content, button }, renderFooterText(`${footer} ${appUrl}`, links)) };
  }

  /** Links to the imprint and the privacy page, as far as the operator has published them. */
  private legalLinks(language: Language): FooterLink[] {
    return (['imprint', 'privacy'] as const).flatMap((page) => {
      const { href } = legalContentOf(this.config, page);
      return href === null ? [] : [{ label: legalLabels[page][language], url: new URL(href, this.config.appUrl).href }];
    });
  }

  private renderTemplate(context: Record<string, unknown>): Promise<string> {
    const mail = { data: { template: 'layout', context, html: '' } };
    const options = { template: { dir: folder, options: { strict: true } } };
    return new Promise((resolve, reject) => {
      this.adapter.compile(mail, (error?: unknown) => (error ? reject(error) : resolve(mail.data.html)), options);
    });
  }
}

interface FooterLink {
  readonly label: string;
  readonly url: string;
}

const renderFooterText = (footer: string, links: readonly FooterLink[]): string =>
  [footer, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n');

function renderText({ heading, paragraphs, code, button, note }: EmailContent, footer: string): string {
  const parts = [heading, ...paragraphs, code, button && `${button.label}:\n${button.url}`, note, `--\n${footer}`];
  return parts.filter((part) => part !== undefined).join('\n\n') + '\n';
}

/** Returns the URL with all characters encoded that could end an HTML attribute. */
function assertWebUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return new URL(url).href;
  throw new Error('An email button must link to an http or https URL.');
}

/** Removes line breaks, which could inject headers, and control characters. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** User-chosen names are part of our sentences; none of them may start a new paragraph. */
function toSingleLines(content: EmailContent): EmailContent {
  return {
    ...content,
    heading: toOneLine(content.heading),
    paragraphs: content.paragraphs.map(toOneLine),
    ...(content.note === undefined ? {} : { note: toOneLine(content.note) }),
  };
}

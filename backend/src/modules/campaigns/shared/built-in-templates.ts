import type { Language } from '../../../platform/errors/app-error.js';

export type BuiltInTemplate = 'welcome' | 'announcement';

export interface TemplateText {
  readonly name: string;
  readonly subject: string;
  readonly htmlContent: string;
}

const buttonHtml = (label: string) =>
  `<p style="margin:24px 0"><a href="{{zone_url}}" style="display:inline-block;padding:12px 24px;background-color:#2545D3;color:#FFFFFF;text-decoration:none;border-radius:6px;font-weight:600">${label}</a></p>`;
const headingHtml = (text: string) => `<h1 style="margin:0 0 16px;font-size:24px;line-height:32px">${text}</h1>`;

/** The built-in templates. */
export const builtInTemplates: Record<Language, Record<BuiltInTemplate, TemplateText>> = {
  en: {
    welcome: {
      name: 'Welcome',
      subject: 'Welcome to {{zone_name}}',
      htmlContent: `${headingHtml('Welcome to {{zone_name}}')}<p>Hello {{first_name|there}},</p><p>Welcome! You'll find everything we share with you in the zone. We'll let you know when there's something new.</p>${buttonHtml('Open Zone')}<p>{{sender_name}}</p>`,
    },
    announcement: {
      name: 'Announcement',
      subject: 'News from {{zone_name}}',
      htmlContent: `${headingHtml('{{subject}}')}<p>Hello {{first_name|there}},</p><p>There's something new in {{zone_name}}:</p><p>Describe it here.</p>${buttonHtml('Take a Look')}<p>{{sender_name}}</p>`,
    },
  },
  tr: {
    welcome: {
      name: 'Hoş geldiniz',
      subject: '{{zone_name}} bölgesine hoş geldiniz',
      htmlContent: `${headingHtml('{{zone_name}} bölgesine hoş geldiniz')}<p>Merhaba {{first_name|sevgili üye}},</p><p>aramıza katıldığınız için teşekkürler. Sizinle paylaştığımız her şeyi bölgede bulabilirsiniz. Yeni bir şey eklediğimizde haber vereceğiz.</p>${buttonHtml('Bölgeyi Aç')}<p>{{sender_name}}</p>`,
    },
    announcement: {
      name: 'Duyuru',
      subject: '{{zone_name}} bölgesinden haberler',
      htmlContent: `${headingHtml('{{subject}}')}<p>Merhaba {{first_name|sevgili üye}},</p><p>{{zone_name}} bölgesinde bir yenilik var:</p><p>Ne olduğunu buraya yazın.</p>${buttonHtml('Göz At')}<p>{{sender_name}}</p>`,
    },
  },
};

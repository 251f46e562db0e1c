import type { Language } from '../../../platform/errors/app-error.js';

export type BuiltInTemplate = 'welcome' | 'announcement';

export interface TemplateText {
  readonly name: string;
  readonly subject: string;
  readonly htmlContent: string;
}

const button = (label: string) =>
  `<p style="margin:24px 0"><a href="{{zone_url}}" style="display:inline-block;padding:12px 24px;background-color:#2545D3;color:#FFFFFF;text-decoration:none;border-radius:6px;font-weight:600">${label}</a></p>`;
const heading = (text: string) => `<h1 style="margin:0 0 16px;font-size:24px;line-height:32px">${text}</h1>`;

/** The two mails that come with the service, to begin with. */
export const builtInTemplates: Record<Language, Record<BuiltInTemplate, TemplateText>> = {
  en: {
    welcome: {
      name: 'Welcome',
      subject: 'Welcome to {{zone_name}}',
      htmlContent: `${heading('Welcome to {{zone_name}}')}<p>Hello {{first_name|there}},</p><p>good to have you here. Everything that is shared with you lies in the zone, and you will hear when something new comes.</p>${button('Open the zone')}<p>{{sender_name}}</p>`,
    },
    announcement: {
      name: 'Announcement',
      subject: 'News from {{zone_name}}',
      htmlContent: `${heading('{{subject}}')}<p>Hello {{first_name|there}},</p><p>there is something new in {{zone_name}}:</p><p>Write here what it is.</p>${button('Have a look')}<p>{{sender_name}}</p>`,
    },
  },
  tr: {
    welcome: {
      name: 'Hoş geldiniz',
      subject: '{{zone_name}} bölgesine hoş geldiniz',
      htmlContent: `${heading('{{zone_name}} bölgesine hoş geldiniz')}<p>Merhaba {{first_name|sevgili üye}},</p><p>aramıza katıldığınız için teşekkürler. Sizinle paylaşılan her şey bölgede duruyor; yeni bir şey eklendiğinde haberiniz olacak.</p>${button('Bölgeyi aç')}<p>{{sender_name}}</p>`,
    },
    announcement: {
      name: 'Duyuru',
      subject: '{{zone_name}} bölgesinden haberler',
      htmlContent: `${heading('{{subject}}')}<p>Merhaba {{first_name|sevgili üye}},</p><p>{{zone_name}} bölgesinde yeni bir şey var:</p><p>Ne olduğunu buraya yazın.</p>${button('Göz atın')}<p>{{sender_name}}</p>`,
    },
  },
};

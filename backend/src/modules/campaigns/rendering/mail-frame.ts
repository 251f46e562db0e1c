import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { escapeHtml } from './pieces.js';

const why: Sentence = {
  en: 'You get the mails of “{zone}” because you are a member of this zone. Leaving it ends them all.',
  tr: '“{zone}” bölgesinin e-postalarını, bölgenin üyesi olduğunuz için alıyorsunuz. Ayrılırsanız hepsi sona erer.',
};
const leave: Sentence = { en: 'Leave this zone', tr: 'Bu bölgeden ayrıl' };

/** What stands around an owner's text. Texts are plain; `unsubscribeUrl` and `pixel` are marks. */
export interface FrameContent {
  readonly language: Language;
  readonly subject: string;
  readonly zoneName: string;
  readonly postalAddress: string | null;
  readonly unsubscribeUrl: string;
}

/** Class of the place that an owner's text stands in. */
export const BODY = 'mail-body';

const font = "font-family:'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The sheet of 600 px that all campaign mails stand on, with the leave link and the postal address below. */
export function frameHtml(content: FrameContent & { readonly styles: string; readonly body: string; pixel: string }) {
  const { language, subject, zoneName, postalAddress, unsubscribeUrl, styles, body, pixel } = content;
  const address = postalAddress === null ? '' : `<br>${lines(postalAddress).map(escapeHtml).join('<br>')}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
${styles ? `<style>${styles}</style>` : ''}
</head>
<body style="margin:0;padding:0;background-color:#FAFAF7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#FAFAF7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td class="${BODY}" bgcolor="#FFFFFF" style="padding:32px;background-color:#FFFFFF;border:1px solid #E6E4DD;border-radius:10px;${font};font-size:16px;line-height:24px;color:#1B1C1F;text-align:left;word-break:break-word">
${body}
</td></tr>
<tr><td style="padding:16px 32px;${font};font-size:12px;line-height:18px;color:#5E5F66;text-align:left;word-break:break-word">
${escapeHtml(why[language].replace('{zone}', () => zoneName))}
<a href="${unsubscribeUrl}" style="color:#2545D3">${leave[language]}</a>${address}
</td></tr>
</table>
</td></tr>
</table>
${pixel}
</body>
</html>
`;
}

/** The same below the text part. */
export function frameText(content: FrameContent & { readonly body: string }): string {
  const { language, zoneName, postalAddress, unsubscribeUrl, body } = content;
  const foot = [
    why[language].replace('{zone}', () => zoneName),
    `${leave[language]}: ${unsubscribeUrl}`,
    ...lines(postalAddress ?? ''),
  ];
  return `${body.trim()}\n\n-- \n${foot.join('\n')}\n`;
}

const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

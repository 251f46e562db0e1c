import { readFileSync } from 'node:fs';
import handlebars from 'handlebars';
import type { MailboxMessage } from './mailbox.js';

const style = `<style>
body { margin: 0; font: 14px/20px Inter, system-ui, sans-serif; color: #1B1C1F; background: #FAFAF7; }
main { max-width: 760px; margin: 0 auto; padding: 32px 16px; }
h1 { font-size: 24px; line-height: 32px; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 16px; font-weight: 600; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: 12px 0; border-top: 1px solid #E6E4DD; overflow-wrap: anywhere; }
a { color: #2545D3; }
.quiet { color: #5E5F66; }
iframe { width: 100%; height: 640px; border: 1px solid #E6E4DD; border-radius: 10px; background: #FFFFFF; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 16px; border: 1px solid #E6E4DD; border-radius: 10px; }
@media (prefers-color-scheme: dark) {
  body { color: #ECEBE6; background: #131416; }
  a { color: #8EA2FF; }
  .quiet { color: #A9AAAF; }
  li, iframe, pre { border-color: #303136; }
}
</style>`;

const list = template<{ style: string; messages: MailboxMessage[] }>('mailbox-list.hbs');
const single = template<{ style: string; message: MailboxMessage }>('mailbox-message.hbs');

/** Renders the list of emails. */
export function listPage(messages: MailboxMessage[]): string {
  return list({ style, messages });
}

/** Renders the page of one email; its HTML part is a separate document in a frame. */
export function messagePage(message: MailboxMessage): string {
  return single({ style, message });
}

/** Returns the HTML part of an email; its links open in a new tab. */
export function messageBody({ html }: MailboxMessage): string {
  return html.replace('<head>', '<head><base target="_blank">');
}

function template<T>(name: string) {
  return handlebars.compile<T>(readFileSync(new URL(name, import.meta.url), 'utf8'), { strict: true });
}

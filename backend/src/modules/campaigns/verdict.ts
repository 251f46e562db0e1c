import type { Verdict } from './entities/campaign-event.entity.js';

/** Programs that say what they are. */
const PROGRAM =
  /bot\b|bot[/;_-]|crawl|spider|slurp|preview|scan|fetch|monitor|headless|phantom|puppeteer|playwright|selenium|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|libwww|httpclient|barracuda|proofpoint|mimecast|symantec|trendmicro|safelinks|skypeuri|urldefense|virustotal/i;
/** Mail services that load pictures for people, when a person opens or a little before: nobody can tell. */
const PROXY = /GoogleImageProxy|ggpht|YahooMailProxy|YahooCacheSystem|DuckDuckGo/i;
/** What a browser or a mail program of a person says. */
const PERSON =
  /(Mozilla\/5\.0 \(.+\) .*(AppleWebKit|Gecko))|Outlook|Thunderbird|Microsoft Office|Apple-?Mail|iPhone|Android/i;

/** Programs click within this time after the mail was handed over, in milliseconds. */
const TOO_SOON = 3000;
/** Several links within this time are one program following all. */
export const BURST = 2000;

export interface Happening {
  readonly type: 'open' | 'click';
  readonly method: string;
  readonly userAgent: string;
  /** Since the mail was handed to the mail server, in milliseconds; null when that is not written yet. */
  readonly age: number | null;
  /** Another link of the same mail was followed within `BURST`. */
  readonly isBurst: boolean;
}

/** Who most likely caused an event. In doubt nobody is dropped: that is what `unknown` is for. */
export function verdictOf({ type, method, userAgent, age, isBurst }: Happening): Verdict {
  const said = userAgent.trim();
  if (method !== 'GET' || said === '' || said === 'Mozilla/5.0') return 'machine';
  if (PROXY.test(said)) return 'unknown';
  if (PROGRAM.test(said)) return 'machine';
  if (type === 'click' && (isBurst || age === null || age < TOO_SOON)) return 'machine';
  return PERSON.test(said) ? 'human' : 'unknown';
}

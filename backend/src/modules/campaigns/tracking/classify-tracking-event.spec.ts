import { classifyTrackingEvent, type TrackingEventInput } from './tracking.service.js';

const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const classify = (more: Partial<TrackingEventInput>) =>
  classifyTrackingEvent({ type: 'click', method: 'GET', userAgent: PERSON, age: 60_000, isBurst: false, ...more });

describe('Tracking event classification', () => {
  it('returns human for a click after a while', () => {
    expect(classify({})).toBe('human');
    expect(classify({ type: 'open', age: null })).toBe('human');
  });

  it.each<[string, Partial<TrackingEventInput>]>([
    ['sends a HEAD request', { method: 'HEAD' }],
    ['sends no user agent', { userAgent: ' ' }],
    ['names itself a scanner', { userAgent: 'Mozilla/5.0 (compatible; Barracuda Sentinel)' }],
    ['names an HTTP library', { userAgent: 'python-requests/2.32' }],
    ['clicks immediately', { age: 500 }],
    ['clicks before the result of sending is written', { age: null }],
    ['follows several links at the same moment', { isBurst: true }],
  ])('returns machine for a client that %s', (_, more) => expect(classify(more)).toBe('machine'));

  it('returns unknown for mail proxies and unknown clients, so that no recipient is dropped', () => {
    expect(
      classify({ type: 'open', userAgent: 'Mozilla/5.0 (Windows NT 5.1) Gecko/2009 (via ggpht.com GoogleImageProxy)' }),
    ).toBe('unknown');
    expect(classify({ userAgent: 'Letterbird/1.0' })).toBe('unknown');
  });
});

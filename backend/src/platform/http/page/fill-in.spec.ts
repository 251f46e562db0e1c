import { fillIn } from './fill-in.js';

const html =
  '[[?name|phone]]<address>[[?name]]<b>[[name]]</b>[[/name]][[?phone]]<a href="tel:[[number]]">[[phone]]</a>[[/phone]]</address>[[/name|phone]]<p>[[year]]</p>';

describe('marks in a drawn page', () => {
  it('are filled in', () => {
    expect(fillIn(html, { name: 'Tom', phone: '1 2', number: '12', year: '2026' })).toBe(
      '<address><b>Tom</b><a href="tel:12">1 2</a></address><p>2026</p>',
    );
  });

  it('take what stands around them along when nothing is known', () => {
    expect(fillIn(html, { name: 'Tom', phone: null, year: '2026' })).toBe('<address><b>Tom</b></address><p>2026</p>');
    expect(fillIn(html, { year: '2026' })).toBe('<p>2026</p>');
    expect(fillIn('a [[?count]][[count]][[/count]]', { count: '0' })).toBe('a 0');
  });

  it('are nothing that a value could bring along', () => {
    const said = fillIn(html, { name: '<script>"[[phone]] & $1 $& [[?name]]', phone: 'secret', number: '', year: '' });
    expect(said).toContain('<b>&#60;script&#62;&#34;[[phone]] &#38; $1 $&#38; [[?name]]</b>');
  });
});

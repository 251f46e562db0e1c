import { carryOver, startsWith } from './drawn-page';

const staticPage = '<a href="/a">A</a><button>Tour</button><details><summary>Q</summary></details>';

describe('Hand-over from the static page to the hydrated one', () => {
  it('preserves the focus and open details elements', () => {
    document.body.innerHTML = `<div id="root">${staticPage}</div>`;
    const root = document.getElementById('root')!;
    root.querySelector('button')!.focus();
    root.querySelector('details')!.open = true;
    const restore = carryOver(root);
    root.innerHTML = staticPage;
    restore();
    expect(document.activeElement).toBe(root.querySelector('button'));
    expect(root.querySelector('details')!.open).toBe(true);
  });

  it('leaves the focus alone when the static page did not have it', () => {
    document.body.innerHTML = `<div id="root">${staticPage}</div>`;
    const root = document.getElementById('root')!;
    carryOver(root)();
    expect(document.activeElement).toBe(document.body);
  });

  it('preserves typed and ticked values, notifies the app of them and repeats a submission', () => {
    const form = '<form><input name="email"><input type="checkbox"><input name="kept" value="as drawn"></form>';
    document.body.innerHTML = `<div id="root">${form}</div>`;
    const root = document.getElementById('root')!;
    const [email, consent] = root.querySelectorAll('input');
    email!.value = 'ada@example.org';
    consent!.checked = true;
    document.documentElement.setAttribute('data-start-with', 'submit');
    const restore = carryOver(root);
    root.innerHTML = form.replace('as drawn', 'known by the program');
    const events: string[] = [];
    root.addEventListener('input', ({ target }) => events.push((target as HTMLInputElement).name));
    const sent = jest.fn((event: Event) => event.preventDefault());
    root.addEventListener('submit', sent);
    restore();
    const [writtenEmail, ticked, keepField] = root.querySelectorAll('input');
    expect([writtenEmail!.value, ticked!.checked, keepField!.value]).toEqual([
      'ada@example.org',
      true,
      'known by the program',
    ]);
    expect(events).toContain('email');
    expect(sent).toHaveBeenCalledTimes(1);
    expect(document.documentElement.hasAttribute('data-start-with')).toBe(false);
  });

  it('reports the interaction that activated the page once', () => {
    document.documentElement.setAttribute('data-start-with', 'tour');
    expect(startsWith('other')).toBe(false);
    expect(startsWith('tour')).toBe(true);
    expect(startsWith('tour')).toBe(false);
  });
});

import { carryOver, startsWith } from './drawn-page';

const drawn = '<a href="/a">A</a><button>Tour</button><details><summary>Q</summary></details>';

describe('a drawn page that gives way to the living one', () => {
  it('hands on the focus and the open questions', () => {
    document.body.innerHTML = `<div id="root">${drawn}</div>`;
    const root = document.getElementById('root')!;
    root.querySelector('button')!.focus();
    root.querySelector('details')!.open = true;
    const restore = carryOver(root);
    root.innerHTML = drawn;
    restore();
    expect(document.activeElement).toBe(root.querySelector('button'));
    expect(root.querySelector('details')!.open).toBe(true);
  });

  it('leaves the focus alone when nothing of it had it', () => {
    document.body.innerHTML = `<div id="root">${drawn}</div>`;
    const root = document.getElementById('root')!;
    carryOver(root)();
    expect(document.activeElement).toBe(document.body);
  });

  it('hands on what was written and ticked, so that the program hears of it, and sends what was sent', () => {
    const form = '<form><input name="email"><input type="checkbox"><input name="kept" value="as drawn"></form>';
    document.body.innerHTML = `<div id="root">${form}</div>`;
    const root = document.getElementById('root')!;
    const [email, consent] = root.querySelectorAll('input');
    email!.value = 'ada@example.org';
    consent!.checked = true;
    document.documentElement.setAttribute('data-start-with', 'submit');
    const restore = carryOver(root);
    root.innerHTML = form.replace('as drawn', 'known by the program');
    const heard: string[] = [];
    root.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).name));
    const sent = jest.fn((event: Event) => event.preventDefault());
    root.addEventListener('submit', sent);
    restore();
    const [writtenEmail, ticked, kept] = root.querySelectorAll('input');
    expect([writtenEmail!.value, ticked!.checked, kept!.value]).toEqual([
      'ada@example.org',
      true,
      'known by the program',
    ]);
    expect(heard).toContain('email');
    expect(sent).toHaveBeenCalledTimes(1);
    expect(document.documentElement.hasAttribute('data-start-with')).toBe(false);
  });

  it('begins with what brought it to life, once', () => {
    document.documentElement.setAttribute('data-start-with', 'tour');
    expect(startsWith('other')).toBe(false);
    expect(startsWith('tour')).toBe(true);
    expect(startsWith('tour')).toBe(false);
  });
});

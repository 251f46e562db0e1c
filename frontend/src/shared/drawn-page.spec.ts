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

  it('begins with what brought it to life, once', () => {
    document.documentElement.setAttribute('data-start-with', 'tour');
    expect(startsWith('other')).toBe(false);
    expect(startsWith('tour')).toBe(true);
    expect(startsWith('tour')).toBe(false);
  });
});

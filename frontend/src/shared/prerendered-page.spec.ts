import { captureFormState, consumeStartReason } from './prerendered-page';

const prerenderedHtml = '<a href="/a">A</a><button>Tour</button><details><summary>Q</summary></details>';

describe('Hand-over from the prerendered page to the hydrated one', () => {
  it('preserves the focus and open details elements', () => {
    document.body.innerHTML = `<div id="root">${prerenderedHtml}</div>`;
    const root = document.getElementById('root')!;
    root.querySelector('button')!.focus();
    root.querySelector('details')!.open = true;
    const restore = captureFormState(root);
    root.innerHTML = prerenderedHtml;
    restore();
    expect(document.activeElement).toBe(root.querySelector('button'));
    expect(root.querySelector('details')!.open).toBe(true);
  });

  it('leaves the focus alone when the prerendered page did not have it', () => {
    document.body.innerHTML = `<div id="root">${prerenderedHtml}</div>`;
    const root = document.getElementById('root')!;
    captureFormState(root)();
    expect(document.activeElement).toBe(document.body);
  });

  it('preserves typed values and checked boxes, notifies the app of them and repeats a submission', () => {
    const form = '<form><input name="email"><input type="checkbox"><input name="untouched" value="prerendered"></form>';
    document.body.innerHTML = `<div id="root">${form}</div>`;
    const root = document.getElementById('root')!;
    const [email, consent] = root.querySelectorAll('input');
    email!.value = 'ada@example.org';
    consent!.checked = true;
    document.documentElement.setAttribute('data-start-with', 'submit');
    const restore = captureFormState(root);
    root.innerHTML = form.replace('prerendered', 'set by the app');
    const events: string[] = [];
    root.addEventListener('input', ({ target }) => events.push((target as HTMLInputElement).name));
    const onSubmit = jest.fn((event: Event) => event.preventDefault());
    root.addEventListener('submit', onSubmit);
    restore();
    const [newEmail, newConsent, untouched] = root.querySelectorAll('input');
    expect([newEmail!.value, newConsent!.checked, untouched!.value]).toEqual([
      'ada@example.org',
      true,
      'set by the app',
    ]);
    expect(events).toContain('email');
    expect(onSubmit).toHaveBeenCalledTimes(1);
    expect(document.documentElement.hasAttribute('data-start-with')).toBe(false);
  });

  it.each([
    ['1', 'Email'],
    ['2', 'Forgot?'],
  ])('repeats a click on a button or link once', (index, name) => {
    const form = '<form><button>Show</button><button>Email</button><a href="#forgot">Forgot?</a></form>';
    document.body.innerHTML = `<div id="root">${form}</div>`;
    const root = document.getElementById('root')!;
    document.documentElement.setAttribute('data-clicked', index);
    const restore = captureFormState(root);
    root.innerHTML = form;
    const clicked: string[] = [];
    root.addEventListener('click', (event) => {
      event.preventDefault();
      clicked.push((event.target as HTMLElement).textContent);
    });
    restore();
    captureFormState(root)();
    expect(clicked).toEqual([name]);
  });

  it('reports the interaction that started the app once', () => {
    document.documentElement.setAttribute('data-start-with', 'tour');
    expect(consumeStartReason('other')).toBe(false);
    expect(consumeStartReason('tour')).toBe(true);
    expect(consumeStartReason('tour')).toBe(false);
  });
});

import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { useSort } from './sort';
import { useUrlChoice } from './use-url-choice';

function renderAt<T>(url: string, useHook: () => T) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[url]}>{children}</MemoryRouter>
  );
  return renderHook(() => ({ value: useHook(), search: useLocation().search }), { wrapper }).result;
}

describe('useUrlChoice', () => {
  const useState = () => useUrlChoice('state', ['active', 'expired'], 'active');

  it('reads the choice from the URL and ignores unknown values', () => {
    expect(renderAt('/?state=expired', useState).current.value[0]).toBe('expired');
    expect(renderAt('/?state=gone', useState).current.value[0]).toBe('active');
  });

  it('writes a choice other than the initial one, beside what the URL contains', () => {
    const rendered = renderAt('/?q=plan', useState);
    act(() => rendered.current.value[1]('expired'));
    expect(rendered.current.search).toBe('?q=plan&state=expired');
    act(() => rendered.current.value[1]('active'));
    expect(rendered.current.search).toBe('?q=plan');
  });
});

describe('useSort', () => {
  const useFileSort = () => useSort('files', ['name', 'size'], { by: 'name', order: 'asc' });
  beforeEach(() => localStorage.clear());

  it('takes the order from the URL before the one last chosen in this browser', () => {
    const rendered = renderAt('/', useFileSort);
    expect(rendered.current.value[0]).toEqual({ by: 'name', order: 'asc' });
    act(() => rendered.current.value[1]({ by: 'size', order: 'desc' }));
    expect(rendered.current.search).toBe('?sort=size&order=desc');
    expect(renderAt('/', useFileSort).current.value[0]).toEqual({ by: 'size', order: 'desc' });
    expect(renderAt('/?sort=name&order=asc', useFileSort).current.value[0]).toEqual({ by: 'name', order: 'asc' });
    expect(renderAt('/?sort=owner&order=up', useFileSort).current.value[0]).toEqual({ by: 'size', order: 'desc' });
  });
});

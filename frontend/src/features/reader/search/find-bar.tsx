import { useEffect, useLayoutEffect, type KeyboardEvent, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { CloseIcon, DownIcon, UpIcon } from '../controls/icons';
import { mostLetters, type Find } from './use-find';

/** The server tells no more. */
const mostHits = 500;

/** The pages begin below the panel, so that none of their lines lies under it; who is in the middle of them stays there. */
function makeRoom(): () => void {
  const pages = document.querySelector('.z-reader-read');
  const room = pages ? parseFloat(getComputedStyle(pages).paddingTop) || 0 : 0;
  const move = (by: number) => {
    if (window.scrollY > 0) window.scrollBy({ top: by, behavior: 'instant' });
  };
  move(room);
  return () => move(-room);
}

/** Where words are searched in a document. */
export function FindBar({ find }: { find: Find }) {
  const { t } = useTranslation('reader');
  const { calls, field } = find;
  useLayoutEffect(makeRoom, []);
  useEffect(() => {
    if (calls === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [calls, field]);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    find.step(1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey) return;
    event.preventDefault();
    find.step(-1);
  };
  return (
    <form role="search" className="z-reader-find" onSubmit={onSubmit}>
      <input
        ref={field}
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={mostLetters}
        aria-label={t('find.field')}
        placeholder={t('find.field')}
        value={find.typed}
        onChange={(event) => find.type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Steps find={find} />
      <p role="status" className="z-second">
        <Said find={find} />
      </p>
    </form>
  );
}

function Steps({ find }: { find: Find }) {
  const { t } = useTranslation('reader');
  const tool = (label: string, Icon: typeof UpIcon, onClick: () => void) => (
    <button type="button" className="z-reader-tool" aria-label={label} title={label} onClick={onClick}>
      <Icon />
    </button>
  );
  return (
    <>
      {tool(t('find.previous'), UpIcon, () => find.step(-1))}
      {tool(t('find.next'), DownIcon, () => find.step(1))}
      {tool(t('find.close'), CloseIcon, find.close)}
    </>
  );
}

/** How a search stands, as it is seen and, politely, heard. */
function Said({ find: { state, error, found } }: { find: Find }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const errorText = useErrorText();
  if (state === 'nothing') return null;
  if (state === 'failed') return errorText(error);
  if (state !== 'found') return t(`find.${state}`);
  const hit = found?.hits[found.at];
  if (!found || !hit) return t('find.none');
  const count = found.hits.length;
  const values = { at: format.number(found.at + 1), count: format.number(count) };
  return (
    <>
      {t(count < mostHits ? 'find.found' : 'find.most', values)}
      <span className="z-visually-hidden">{t('find.place', { page: hit.page, around: hit.around })}</span>
    </>
  );
}

import { useId, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import { phone, type View } from '../controls/use-view';
import { PageStrip } from '../pages/page-strip';
import { Outline } from './outline';

const sides = ['pages', 'contents'] as const;

interface Props {
  fileId: number;
  document: Schema<'DocumentDto'>;
  /** The page that is read. */
  page: number;
  view: View;
}

/** What stands beside the pages, to find one: small pages, and the contents of a document that has an outline. */
export function Side({ fileId, document, page, view }: Props) {
  const [kept, keep] = useStoredChoice('reader.side', sides, 'pages');
  const id = useId();
  const hasOutline = document.outline.length > 0;
  const side = hasOutline ? kept : 'pages';
  const go = (to: number) => {
    view.pages.current?.go(to);
    // On a phone it lies over what was asked for.
    if (matchMedia(phone).matches) view.setStrip(false);
  };
  const shown =
    side === 'pages' ? (
      <PageStrip fileId={fileId} sizes={document.pages} page={page} onGo={go} />
    ) : (
      <Outline outline={document.outline} page={page} onGo={go} />
    );
  return (
    <div className="z-reader-side" data-side={side}>
      {hasOutline && <Tabs id={id} side={side} onChoose={keep} />}
      {hasOutline ? (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${side}`}>
          {shown}
        </div>
      ) : (
        shown
      )}
    </div>
  );
}

interface TabsProps {
  id: string;
  side: (typeof sides)[number];
  onChoose: (side: (typeof sides)[number]) => void;
}

function Tabs({ id, side, onChoose }: TabsProps) {
  const { t } = useTranslation('reader');
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // Of two, each is beside the other one.
    event.preventDefault();
    onChoose(side === 'pages' ? 'contents' : 'pages');
    list.current?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
  };
  return (
    <div ref={list} role="tablist" className="z-reader-tabs" aria-label={t('side')}>
      {sides.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`${id}-${one}`}
          aria-controls={`${id}-panel`}
          aria-selected={one === side}
          tabIndex={one === side ? 0 : -1}
          onClick={() => onChoose(one)}
          onKeyDown={onKeyDown}
        >
          {t(one === 'pages' ? 'pagesTab' : 'contents')}
        </button>
      ))}
    </div>
  );
}

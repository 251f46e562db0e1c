import { useId, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import { PHONE_QUERY, type ReaderView } from '../controls/use-reader-view';
import { ThumbnailList } from '../pages/thumbnail-list';
import { Outline } from './outline';

const tabNames = ['pages', 'contents'] as const;

interface Props {
  fileId: number;
  document: Schema<'DocumentDto'>;
  currentPage: number;
  view: ReaderView;
}

/** Sidebar to find a page: thumbnails, and the outline if the document has one. */
export function ReaderSidebar({ fileId, document, currentPage, view }: Props) {
  const [storedTab, setStoredTab] = useStoredChoice('reader.side', tabNames, 'pages');
  const id = useId();
  const hasOutline = document.outline.length > 0;
  const activeTab = hasOutline ? storedTab : 'pages';
  const goToPage = (target: number) => {
    view.pagesRef.current?.goToPage(target);
    // On a phone the sidebar covers the page that was requested.
    if (matchMedia(PHONE_QUERY).matches) view.setSidebarOpen(false);
  };
  const panel =
    activeTab === 'pages' ? (
      <ThumbnailList fileId={fileId} sizes={document.pages} currentPage={currentPage} onGoToPage={goToPage} />
    ) : (
      <Outline outline={document.outline} currentPage={currentPage} onGoToPage={goToPage} />
    );
  return (
    <div className="z-reader-side" data-side={activeTab}>
      {hasOutline && <SidebarTabs id={id} activeTab={activeTab} onSelect={setStoredTab} />}
      {hasOutline ? (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${activeTab}`}>
          {panel}
        </div>
      ) : (
        panel
      )}
    </div>
  );
}

interface SidebarTabsProps {
  id: string;
  activeTab: (typeof tabNames)[number];
  onSelect: (side: (typeof tabNames)[number]) => void;
}

function SidebarTabs({ id, activeTab, onSelect }: SidebarTabsProps) {
  const { t } = useTranslation('reader');
  const tabListRef = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // There are only two tabs, so both arrow keys lead to the other one.
    event.preventDefault();
    onSelect(activeTab === 'pages' ? 'contents' : 'pages');
    tabListRef.current?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
  };
  return (
    <div ref={tabListRef} role="tablist" className="z-reader-tabs" aria-label={t('side')}>
      {tabNames.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`${id}-${tab}`}
          aria-controls={`${id}-panel`}
          aria-selected={tab === activeTab}
          tabIndex={tab === activeTab ? 0 : -1}
          onClick={() => onSelect(tab)}
          onKeyDown={onKeyDown}
        >
          {t(tab === 'pages' ? 'pagesTab' : 'contents')}
        </button>
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { SearchIcon, FullScreenIcon, RotateIcon, SidebarIcon, ZoomInIcon, ZoomOutIcon } from './icons';
import type { ReaderView } from './use-reader-view';

interface Props {
  view: ReaderView;
  /** Whether its text can be searched. */
  isSearchable: boolean;
}

/**
 * View controls of a document for wide windows. On phones fingers zoom, the bar has the search and the menu the rest.
 */
export function DocumentTools({ view, isSearchable }: Props) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const renderTool = (label: string, onClick: () => void, icon: ReactNode, isPressed?: boolean) => (
    <button
      type="button"
      className="z-reader-tool"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      {icon}
    </button>
  );
  const percent = format.percent(Math.round(view.zoom * 100));
  return (
    <>
      {renderTool(t('aside'), () => view.setSidebarOpen(!view.isSidebarOpen), <SidebarIcon />, view.isSidebarOpen)}
      {isSearchable && <SearchTool view={view} />}
      {renderTool(t('zoomOut'), () => view.zoomBy(-1), <ZoomOutIcon />)}
      <button
        type="button"
        className="z-reader-tool z-reader-zoom"
        aria-label={t('fit', { percent })}
        title={t('fit', { percent })}
        onClick={() => view.zoomTo(1)}
      >
        {percent}
      </button>
      {renderTool(t('zoomIn'), () => view.zoomBy(1), <ZoomInIcon />)}
      {renderTool(t('rotate'), view.rotate, <RotateIcon />)}
      {renderTool(t('full'), view.fullScreen.toggle, <FullScreenIcon />, view.fullScreen.isActive)}
    </>
  );
}

/** Opens the search in the document. */
export function SearchTool({ view }: { view: ReaderView }) {
  const { t } = useTranslation('reader');
  return (
    <button
      type="button"
      className="z-reader-tool"
      aria-label={t('find.field')}
      title={t('find.field')}
      onClick={() => view.searchRef.current?.open()}
    >
      <SearchIcon />
    </button>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { FindIcon, FullIcon, RotateIcon, StripIcon, ZoomInIcon, ZoomOutIcon } from './icons';
import type { View } from './use-view';

interface Props {
  view: View;
  /** Its text may be searched. */
  isSearched: boolean;
}

/** How a document is looked at, for windows that have the room; on phones fingers zoom, and the menu has the rest. */
export function DocumentTools({ view, isSearched }: Props) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const tool = (label: string, onClick: () => void, face: ReactNode, isPressed?: boolean) => (
    <button
      type="button"
      className="z-reader-tool"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      {face}
    </button>
  );
  const percent = format.percent(Math.round(view.zoom * 100));
  return (
    <>
      {tool(t('aside'), () => view.setStrip(!view.hasStrip), <StripIcon />, view.hasStrip)}
      {isSearched && tool(t('find.field'), () => view.find.current?.open(), <FindIcon />)}
      {tool(t('zoomOut'), () => view.zoomBy(-1), <ZoomOutIcon />)}
      <button
        type="button"
        className="z-reader-tool z-reader-zoom"
        aria-label={t('fit', { percent })}
        title={t('fit', { percent })}
        onClick={() => view.zoomTo(1)}
      >
        {percent}
      </button>
      {tool(t('zoomIn'), () => view.zoomBy(1), <ZoomInIcon />)}
      {tool(t('rotate'), view.rotate, <RotateIcon />)}
      {tool(t('full'), view.full.toggle, <FullIcon />, view.full.isFull)}
    </>
  );
}

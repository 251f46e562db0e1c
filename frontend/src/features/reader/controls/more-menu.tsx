import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../../shared/hooks/use-format';
import { DisclosureMenu } from '../../../shared/public-ui/disclosure-menu';
import { replacedAtOf, type ReaderFile } from '../source/reader-source';
import { useReaderSource } from '../source/use-reader-source';
import { MoreIcon, ZoomInIcon, ZoomOutIcon } from './icons';
import type { ReaderBarProps } from './reader-bar-props';
import { layoutModes, backgrounds, type ReaderView } from './use-reader-view';

interface Props extends ReaderBarProps {
  file: ReaderFile;
  /** The bar has space only for the back button, the page number and the search. */
  isMobile: boolean;
}

/** Rarely used actions; on phones also those that are in the bar on wider screens. */
export function MoreMenu(props: Props) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const { file, position, view, isMobile } = props;
  const replacedAt = replacedAtOf(file);
  return (
    <DisclosureMenu label={t('more')} className="z-reader-more" trigger={<MoreIcon />}>
      {isMobile && (
        <div>
          {replacedAt !== undefined && <p className="z-second">{t('updated', { date: format.date(replacedAt) })}</p>}
          {position && <MobileDocumentTools view={view} />}
          <FileLinks {...props} />
        </div>
      )}
      {position && <ViewOptions view={view} />}
      {position && !file.can.text && <p className="z-second">{t('text.closed')}</p>}
      {!isMobile && (
        <button type="button" onClick={(event) => openShortcutsDialog(event.currentTarget, view)}>
          {t('keys.title')}
        </button>
      )}
    </DisclosureMenu>
  );
}

/** The menu closes, so focus must return to the button that opens it. */
function openShortcutsDialog(button: HTMLElement, view: ReaderView): void {
  button.closest('details')?.querySelector('summary')?.focus();
  view.helpDialogRef.current?.showModal();
}

function MobileDocumentTools({ view }: { view: ReaderView }) {
  const { t } = useTranslation('reader');
  return (
    <>
      <button type="button" aria-pressed={view.isSidebarOpen} onClick={() => view.setSidebarOpen(!view.isSidebarOpen)}>
        {t('aside')}
      </button>
      <ZoomControls view={view} />
      <button type="button" onClick={view.rotate}>
        {t('rotate')}
      </button>
      <button type="button" onClick={view.fullScreen.toggle}>
        {t('full')}
      </button>
    </>
  );
}

/** Side by side in a menu that stays open, because people usually zoom several steps. */
function ZoomControls({ view }: { view: ReaderView }) {
  const { t } = useTranslation('reader');
  const renderZoomButton = (label: string, content: ReactNode, action: () => void) => (
    <button
      type="button"
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        action();
      }}
    >
      {content}
    </button>
  );
  return (
    <div className="z-reader-zooms">
      {renderZoomButton(t('zoomOut'), <ZoomOutIcon />, () => view.zoomBy(-1))}
      {renderZoomButton(t('fitWidth'), t('fitWidth'), () => view.zoomTo(1))}
      {renderZoomButton(t('zoomIn'), <ZoomInIcon />, () => view.zoomBy(1))}
    </div>
  );
}

function FileLinks({ file, state, previousUrl, nextUrl }: Props) {
  const { t } = useTranslation('reader');
  const { downloadUrl } = useReaderSource();
  const renderFileLink = (url: string | undefined, label: string) =>
    url !== undefined && (
      <Link to={url} replace state={state}>
        {label}
      </Link>
    );
  return (
    <>
      {renderFileLink(previousUrl, t('previous'))}
      {renderFileLink(nextUrl, t('next'))}
      {file.can.download && (
        <a href={downloadUrl(file)} download>
          {t('download')}
        </a>
      )}
    </>
  );
}

function ViewOptions({ view }: { view: ReaderView }) {
  const { t } = useTranslation('reader');
  const renderOption = (key: string, label: string, isSelected: boolean, onClick: () => void): ReactNode => (
    <button key={key} type="button" aria-pressed={isSelected} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      <div role="group" className="z-reader-choices" aria-label={t('flow.title')}>
        {layoutModes.map((option) =>
          renderOption(option, t(`flow.${option}`), option === view.layoutMode, () => view.setLayoutMode(option)),
        )}
      </div>
      <div role="group" className="z-reader-choices" aria-label={t('around.title')}>
        {backgrounds.map((option) =>
          renderOption(option, t(`around.${option}`), option === view.background, () => view.setBackground(option)),
        )}
      </div>
    </>
  );
}

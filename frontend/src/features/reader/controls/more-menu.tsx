import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { downloadAddress } from '../../../shared/files/preview-kind';
import { readingAddress } from '../../../shared/files/reading';
import { DisclosureMenu } from '../../../shared/plain/disclosure-menu';
import { MoreIcon, ZoomInIcon, ZoomOutIcon } from './icons';
import type { BarProps } from './bar-props';
import { flows, surroundings, type View } from './use-view';

interface Props extends BarProps {
  file: Schema<'FileDto'>;
  /** The bar has room for the way back and the page only. */
  isNarrow: boolean;
}

/** What is seldom needed; on phones also what other windows have in their bar. */
export function MoreMenu(props: Props) {
  const { t } = useTranslation('reader');
  const { file, position, view, isNarrow } = props;
  return (
    <DisclosureMenu label={t('more')} className="z-reader-more" face={<MoreIcon />}>
      {isNarrow && (
        <div>
          {position && <NarrowTools view={view} isSearched={file.can.text} />}
          <FileLinks {...props} />
        </div>
      )}
      {position && <Choices view={view} />}
      {position && !file.can.text && <p className="z-second">{t('text.closed')}</p>}
      {!isNarrow && (
        <button type="button" onClick={(event) => showHelp(event.currentTarget, view)}>
          {t('keys.title')}
        </button>
      )}
    </DisclosureMenu>
  );
}

/** The menu closes, so the focus comes back to what opens it. */
function showHelp(button: HTMLElement, view: View): void {
  button.closest('details')?.querySelector('summary')?.focus();
  view.help.current?.showModal();
}

function NarrowTools({ view, isSearched }: { view: View; isSearched: boolean }) {
  const { t } = useTranslation('reader');
  return (
    <>
      <button type="button" aria-pressed={view.hasStrip} onClick={() => view.setStrip(!view.hasStrip)}>
        {t('aside')}
      </button>
      {isSearched && (
        <button type="button" onClick={() => view.find.current?.open()}>
          {t('find.field')}
        </button>
      )}
      <Zooms view={view} />
      <button type="button" onClick={view.rotate}>
        {t('rotate')}
      </button>
      <button type="button" onClick={view.full.toggle}>
        {t('full')}
      </button>
    </>
  );
}

/** Side by side, and the menu stays open: one seldom zooms once. */
function Zooms({ view }: { view: View }) {
  const { t } = useTranslation('reader');
  const zoom = (label: string, face: ReactNode, action: () => void) => (
    <button
      type="button"
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        action();
      }}
    >
      {face}
    </button>
  );
  return (
    <div className="z-reader-zooms">
      {zoom(t('zoomOut'), <ZoomOutIcon />, () => view.zoomBy(-1))}
      {zoom(t('fitWidth'), t('fitWidth'), () => view.zoomTo(1))}
      {zoom(t('zoomIn'), <ZoomInIcon />, () => view.zoomBy(1))}
    </div>
  );
}

function FileLinks({ file, zoneId, state, previous, next }: Props) {
  const { t } = useTranslation('reader');
  const step = (to: Schema<'FileDto'> | undefined, label: string) =>
    to && (
      <Link to={readingAddress(zoneId, to.id)} replace state={state}>
        {label}
      </Link>
    );
  return (
    <>
      {step(previous, t('previous'))}
      {step(next, t('next'))}
      {file.can.download && (
        <a href={downloadAddress(file)} download>
          {t('download')}
        </a>
      )}
    </>
  );
}

function Choices({ view }: { view: View }) {
  const { t } = useTranslation('reader');
  const choice = (key: string, label: string, isChosen: boolean, onClick: () => void): ReactNode => (
    <button key={key} type="button" aria-pressed={isChosen} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      <div role="group" aria-label={t('flow.title')}>
        {flows.map((one) => choice(one, t(`flow.${one}`), one === view.flow, () => view.setFlow(one)))}
      </div>
      <div role="group" aria-label={t('around.title')}>
        {surroundings.map((one) => choice(one, t(`around.${one}`), one === view.around, () => view.setAround(one)))}
      </div>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { useColorMode } from '../../../shared/preferences/color-mode';

/** The screens that `npm run landing:shots` takes of the product, each wide and for phones. */
export type ShotName = 'zone' | 'share' | 'join' | 'campaign' | 'dashboard';

const narrow = '(max-width: 599px)';
const dark = '(prefers-color-scheme: dark)';
const wideSize = { width: 1600, height: 1000 };

interface Props {
  name: ShotName;
  alt: string;
  /** The first thing that is seen, so it is fetched before everything else. */
  first?: boolean;
}

/** A screen of the product in the page's language and colours, and in the shape of the reader's own screen. */
export function Shot({ name, alt, first = false }: Props) {
  const { i18n } = useTranslation();
  const mode = useColorMode();
  const file = (shape: string, scheme: string) => `/shots/${name}-${shape}-${i18n.language}-${scheme}.webp`;
  const fixed = mode === 'system' ? null : mode;
  return (
    <picture className="z-shot">
      {!fixed && <source media={`${narrow} and ${dark}`} srcSet={file('phone', 'dark')} width={720} height={1120} />}
      <source media={narrow} srcSet={file('phone', fixed ?? 'light')} width={720} height={1120} />
      {!fixed && <source media={dark} srcSet={file('wide', 'dark')} {...wideSize} />}
      <img src={file('wide', fixed ?? 'light')} {...wideSize} alt={alt} fetchPriority={first ? 'high' : 'auto'} />
    </picture>
  );
}

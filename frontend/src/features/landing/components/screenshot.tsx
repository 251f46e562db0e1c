import { useTranslation } from 'react-i18next';
import { useColorMode } from '../../../shared/preferences/color-mode';

/** The screenshots that `npm run landing:shots` takes, each for wide screens and for phones. */
export type ScreenshotName = 'zone' | 'share' | 'join' | 'campaign' | 'dashboard';

const narrowQuery = '(max-width: 599px)';
const darkQuery = '(prefers-color-scheme: dark)';
const wideSize = { width: 1600, height: 1000 };

interface Props {
  name: ScreenshotName;
  alt: string;
  /** Loads before everything else, because it is visible first. */
  isPriority?: boolean;
}

/** A screenshot in the current language and colour scheme, in the format for the viewer's screen. */
export function Screenshot({ name, alt, isPriority = false }: Props) {
  const { i18n } = useTranslation();
  const mode = useColorMode();
  const imagePath = (shape: string, scheme: string) => `/shots/${name}-${shape}-${i18n.language}-${scheme}.webp`;
  const fixedScheme = mode === 'system' ? null : mode;
  return (
    <picture className="z-shot">
      {!fixedScheme && (
        <source
          media={`${narrowQuery} and ${darkQuery}`}
          srcSet={imagePath('phone', 'dark')}
          width={720}
          height={1120}
        />
      )}
      <source media={narrowQuery} srcSet={imagePath('phone', fixedScheme ?? 'light')} width={720} height={1120} />
      {!fixedScheme && <source media={darkQuery} srcSet={imagePath('wide', 'dark')} {...wideSize} />}
      <img
        src={imagePath('wide', fixedScheme ?? 'light')}
        {...wideSize}
        alt={alt}
        fetchPriority={isPriority ? 'high' : 'auto'}
      />
    </picture>
  );
}

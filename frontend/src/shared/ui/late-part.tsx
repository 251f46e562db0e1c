import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { MissingPart } from './missing-part';

/**
 * A part of a page that is loaded when it is first shown: a chart, the editor, the picture of a link. When it cannot be
 * loaded, or breaks, its own place says so and all else goes on.
 * @param load gives the component: `() => import('./qr-code').then((m) => m.QrCode)`
 * @param waiting what stands there meanwhile
 */
export function latePart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  const begin = () => lazy(() => load().then((part) => ({ default: part }))) as unknown as ComponentType<P>;
  // A failure is remembered with what failed; each further try takes a new one.
  let current = begin();
  return function LatePart(props: P) {
    const [{ Part, tries }, setShown] = useState(() => ({ Part: current, tries: 0 }));
    const again = () => {
      current = begin();
      setShown({ Part: current, tries: tries + 1 });
    };
    return (
      <PartBoundary key={tries} fallback={<MissingPart onRetry={again} wasRetried={tries > 0} />}>
        <Suspense fallback={waiting(props)}>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}

/** Shows something else in the place of what could not be drawn. */
class PartBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

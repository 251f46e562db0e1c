import { use, useState } from 'react';
import type { Schema } from '../../../shared/api/client';
import { SearchResultsContext } from '../search/search-results';
import type { ReaderFile } from '../source/reader-source';
import { PageText } from '../text/page-text';
import { fittedPageStyle } from './page-styles';
import { PageImage } from './page-image';
import { aspectRatioOf, type Rotation } from './page-layout';

interface Props {
  file: ReaderFile;
  page: number;
  size: Schema<'PageSizeDto'>;
  /** Width of the requested image. */
  width: number;
  rotation: Rotation;
  slotSize: { width: number; height: number };
  isNearViewport: boolean;
  /** Called when the image has loaded or failed. */
  onLoadEnd: () => void;
  /** Navigates to a page of the document. */
  onGoToPage: (page: number) => void;
}

/** A page of a document: its image with the text layer on top. */
export function DocumentPage({ file, page, size, onLoadEnd, onGoToPage, ...imageProps }: Props) {
  // Text loads after the image, which readers wait for. It also loads if the image fails, and first on pages with
  // search hits.
  const [hasLoadEnded, setLoadEnded] = useState(false);
  const handleLoadEnd = () => {
    setLoadEnded(true);
    onLoadEnd();
  };
  const hasHits = use(SearchResultsContext)?.hits.some((hit) => hit.page === page) === true;
  const aspectRatio = aspectRatioOf(size);
  return (
    <>
      <PageImage fileId={file.id} page={page} {...imageProps} onLoadEnd={handleLoadEnd} />
      {file.can.text && size.width > 0 && (
        <PageText
          fileId={file.id}
          page={page}
          isEnabled={imageProps.isNearViewport && (hasLoadEnded || hasHits)}
          aspectRatio={aspectRatio}
          onGoToPage={onGoToPage}
          style={fittedPageStyle(imageProps.slotSize, aspectRatio, imageProps.rotation)}
        />
      )}
    </>
  );
}

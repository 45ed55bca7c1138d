/** What a file is, by its name: how it can be looked at. Pure. */

export type FileKind = 'image' | 'markdown' | 'html' | 'text' | 'binary';

const IMAGES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp']);
const BINARIES = new Set(
  'zip gz tgz tar bz2 xz 7z rar pdf doc docx xls xlsx ppt pptx exe dll so dylib bin o a class jar pyc wasm mp3 mp4 mov avi mkv webm wav ogg flac ttf otf woff woff2 eot sqlite sqlite3 db'.split(
    ' ',
  ),
);

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export function kindOf(path: string): FileKind {
  const extension = extensionOf(path);
  if (IMAGES.has(extension)) return 'image';
  if (extension === 'md' || extension === 'markdown') return 'markdown';
  if (extension === 'html' || extension === 'htm') return 'html';
  return BINARIES.has(extension) ? 'binary' : 'text';
}

const LANGUAGES: Record<string, string> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  yml: 'yaml',
  toml: 'ini',
  html: 'xml',
  htm: 'xml',
  svg: 'xml',
  md: 'markdown',
};

/** The highlighter's name for the file's language. */
export function languageOf(path: string): string {
  const extension = extensionOf(path);
  return LANGUAGES[extension] ?? extension;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';

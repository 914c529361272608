/** The compilers of JSON Schema, a chunk of their own that is loaded with the first schema. */
export { Ajv } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';
export { default as addFormats } from 'ajv-formats';

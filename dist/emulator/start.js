import '../index.js?start';
